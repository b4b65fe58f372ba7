# The options of Home Manager that our module sets, with the types it gives them.
{ lib, ... }:
let
  inherit (lib) mkOption types;
  declare = type: default: mkOption { inherit type default; };
in
{
  options = {
    assertions = declare (types.listOf types.unspecified) [ ];
    warnings = declare (types.listOf types.str) [ ];
    home.packages = declare (types.listOf types.package) [ ];
    xresources.properties = declare (types.attrsOf (
      types.oneOf [
        types.bool
        types.int
        types.float
        types.str
        (types.listOf types.str)
      ]
    )) { };
    xresources.extraConfig = declare types.lines "";
  };
}
