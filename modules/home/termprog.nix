# The terminal for one user, by Home Manager: programs.termprog.
{
  config,
  lib,
  pkgs,
  ...
}:
let
  cfg = config.programs.termprog;
  common = import ../lib/termprog.nix { inherit config lib pkgs; };
  given = (import ../lib/xresources.nix { inherit lib; }).hidden cfg.resources;

  properties = prefix: lib.mapAttrs' (name: lib.nameValuePair "${prefix}${name}");
in
{
  inherit (common) options;

  config = lib.mkIf cfg.enable {
    inherit (common) warnings;
    home.packages = [ cfg.package ];
    # In ~/.Xresources, which every display manager loads: through the preprocessor of xrdb, as Home Manager does.
    xresources.properties = properties "Term*vt100." given.vt100 // properties "Term." given.app;
  };
}
