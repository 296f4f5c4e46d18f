# What an installed psuite is, for cmake --install and for the package.
