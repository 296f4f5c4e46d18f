# archive.sh: where packages come from.

# The mirror and release of Debian's main archive as this machine's own apt knows them.
debian_archive() {
  local codename; codename=$(. /etc/os-release; echo "${VERSION_CODENAME:-}")
  apt-get indextargets --format '$(LABEL)|$(REPO_URI)|$(RELEASE)|$(COMPONENT)' 'Created-By: Packages' |
    awk -F'|' -v c="$codename" '$3 == c && $4 == "main" { if ($1 == "Debian") { best = $2; exit } if (!any) any = $2 }
                               END { if (best == "") best = any; if (best == "") exit 1; print best, c }'
}
