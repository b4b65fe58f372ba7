# The terminal for one user, by Home Manager: programs.termprog.
{
  config,
  lib,
  pkgs,
  ...
}:
let
  cfg = config.programs.termprog;
  given = (import ../lib/xresources.nix { inherit lib; }).given cfg.resources;

  # Home Manager loads the file through the C preprocessor, which cuts comments and replaces these two words.
  # An octal escape of one character hides them from it; the resource database decodes it.
  hidden = lib.replaceStrings [ "//" "/*" "linux" "unix" ] [ "\\057\\057" "\\057*" "\\154inux" "\\165nix" ];
  properties = prefix: lib.mapAttrs' (name: value: lib.nameValuePair "${prefix}${name}" (hidden value));
in
{
  options.programs.termprog = {
    enable = lib.mkEnableOption "the terminal of Homeport, `termprog`";

    package = lib.mkOption {
      type = lib.types.package;
      default = (import ../../nix/packages { inherit pkgs; }).termprog;
      defaultText = lib.literalExpression "homeport.packages.\${system}.termprog";
      description = "The package with the program `termprog`.";
    };

    resources = import ../generated/termprog.options.nix { inherit lib; };
  };

  config = lib.mkIf cfg.enable {
    home.packages = [ cfg.package ];
    xresources.properties = properties "Term*vt100." given.vt100 // properties "Term." given.app;
  };
}
