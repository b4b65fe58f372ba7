# The terminal for every user: programs.termprog.
{
  config,
  lib,
  pkgs,
  ...
}:
let
  cfg = config.programs.termprog;
  common = import ./lib/termprog.nix { inherit config lib pkgs; };
  given = (import ./lib/xresources.nix { inherit lib; }).inFile cfg.resources;

  # Loose and by class, so that whatever a user writes is more specific.
  lines = prefix: lib.mapAttrsToList (name: value: "${prefix}${name}: ${value}\n");
in
{
  inherit (common) options;

  config = lib.mkIf cfg.enable {
    inherit (common) warnings;
    environment.systemPackages = [ cfg.package ];
    # Not the X server's resource database: there it would win over ~/.Xresources.
    # Behind what the package ships: the labels of the menus, and the program's own defaults as comments.
    environment.etc."X11/app-defaults/Term".text = lib.concatStrings (
      [ (builtins.readFile ../share/X11/app-defaults/Term) ]
      ++ lines "*VT100." given.vt100
      ++ lines "*" given.app
    );
  };
}
