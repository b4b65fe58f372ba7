# The terminal for every user: programs.termprog.
{
  config,
  lib,
  pkgs,
  ...
}:
let
  cfg = config.programs.termprog;
  given = (import ./lib/xresources.nix { inherit lib; }).given cfg.resources;

  # Loose and by class, so that whatever a user writes is more specific.
  lines = prefix: lib.mapAttrsToList (name: value: "${prefix}${name}: ${value}");
  appDefaults = lines "*VT100." given.vt100 ++ lines "*" given.app;
in
{
  options.programs.termprog = {
    enable = lib.mkEnableOption "the terminal of Homeport, `termprog`";

    package = lib.mkOption {
      type = lib.types.package;
      default = (import ../nix/packages { inherit pkgs; }).termprog;
      defaultText = lib.literalExpression "homeport.packages.\${system}.termprog";
      description = "The package with the program `termprog`.";
    };

    resources = import ./generated/termprog.options.nix { inherit lib; };
  };

  config = lib.mkIf cfg.enable {
    environment.systemPackages = [ cfg.package ];
    # Not the X server's resource database: there it would win over ~/.Xresources.
    environment.etc."X11/app-defaults/Term".text = lib.concatMapStrings (line: "${line}\n") appDefaults;
  };
}
