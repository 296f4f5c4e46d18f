# archive.sh: where packages come from.

# The mirror and release of Debian's main archive as this machine's own apt knows them.
debian_archive() {
  local codename; codename=$(. /etc/os-release; echo "${VERSION_CODENAME:-}")
  apt-get indextargets --format '$(LABEL)|$(REPO_URI)|$(RELEASE)|$(COMPONENT)' 'Created-By: Packages' |
    awk -F'|' -v c="$codename" '$3 == c && $4 == "main" { if ($1 == "Debian") { best = $2; exit } if (!any) any = $2 }
                               END { if (best == "") best = any; if (best == "") exit 1; print best, c }'
}

# debian_sources_of SUITE: lines of a sources.list for that release: this machine's archives of Debian, with their updates
debian_sources_of() {
  local codename; codename=$(. /etc/os-release; echo "${VERSION_CODENAME:-}")
  apt-get indextargets --format '$(REPO_URI)|$(RELEASE)|$(COMPONENT)|$(LABEL)' 'Created-By: Packages' |
    awk -F'|' -v c="$codename" -v suite="$1" '
      $3 != "main" || ($2 != c && $2 != c "-updates" && $2 != c "-security") { next }
      { release = suite substr($2, length(c) + 1); line = "deb " $1 " " release " main\n" }
      $4 ~ /^Debian/ { labelled = labelled line }
      { any = any line }
      END { printf "%s", labelled ? labelled : any; exit !any }'
}
