# What a checkout needs to be built, run and tested; on Debian scripts/setup installs the same.
{ pkgs }:
pkgs.mkShell {
  packages = [
    pkgs.nodejs_24
    # Builds sqlite3.
    pkgs.python3
    pkgs.gnumake
    pkgs.gcc
    # The IRC side of the demo stack and the tests.
    pkgs.soju
    pkgs.ergochat
    pkgs.ngircd
    # What stands in front of the connector.
    pkgs.nginx
    pkgs.caddy
    pkgs.openssl
    # The terminal's surroundings.
    pkgs.xorg.xorgserver
    pkgs.xorg.xrdb
    pkgs.xorg.xwininfo
    pkgs.xorg.xprop
    pkgs.xorg.xwd
    pkgs.xdotool
    pkgs.xterm
    pkgs.zsh
    pkgs.fish
    pkgs.chromium
    # Checks.
    pkgs.nix
    pkgs.systemd
    pkgs.prometheus
    pkgs.prometheus-node-exporter
    pkgs.postgresql
    pkgs.nixfmt
  ];
}
