# What the modules of the terminal for a system and for one user have in common.
{
  config,
  lib,
  pkgs,
}:
let
  cfg = config.programs.termprog;
  generated = import ../generated/termprog.options.nix { inherit lib; };

  # The generator gives each a default of null.
  unread = lib.filter (path: lib.attrByPath path null cfg.resources != null) (
    map ({ path, ... }: path) generated.withoutEffect
  );
in
{
  options.programs.termprog = {
    enable = lib.mkEnableOption "the terminal of Homeport, `termprog`";

    package = lib.mkPackageOption (import ./packages.nix { inherit pkgs; }) "termprog" {
      pkgsText = "homeport.packages.\${system}";
    };

    resources = lib.mkOption {
      type = lib.types.submodule { options = generated.options; };
      default = { };
      example = lib.literalExpression ''
        {
          vt100.faceName = "DejaVu Sans Mono";
          vt100.saveLines = 10000;
          app.title = "Ada's terminal";
        }
      '';
      description = ''
        X resources of the terminal: those of its text area below `vt100`, those of the program below `app`.
        A resource that is null is not written, so the program's own default holds.

        A value is written as it is given, and a backslash in it means what it means in every file of X resources:
        `\n` is a line break, `\` and three octal digits are the byte of that number, `\\` is one backslash, and before
        any other character a backslash is dropped. Write two backslashes where the terminal shall see one; in Nix that
        is `"\\\\"`, or `\\` between two apostrophes on each side. Blanks at the beginning and at the end count; one line
        break at the end does not, because Nix adds it to texts of several lines.
      '';
    };
  };

  warnings = map (
    path:
    "programs.termprog.resources.${lib.concatStringsSep "." path} is accepted, but has no effect in this version of Homeport."
  ) unread;
}
