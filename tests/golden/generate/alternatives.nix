# Written by `npm run generate`. Changes made here are lost.
{ lib }:
let
  inherit (lib) mkOption types;
in
{
  options = {
    option = mkOption {
      type = types.attrTag {
        file = mkOption {
          type = types.submodule {
            options = {
              path = mkOption {
                type = types.str;
                default = "/x";
                description = "What it is for.";
              };
            };
          };
          description = "What it is for.";
        };
        server = mkOption {
          type = types.submodule {
            options = {
              secretFile = mkOption {
                type = types.externalPath;
                description = "What it is for.";
              };
            };
          };
          description = "What it is for.";
        };
      };
      default = { file = { path = "/x"; }; };
      description = "What it is for.";
    };
  };

  # Options that name a file with a secret.
  secretFiles = [
    [ "option" "server" "secretFile" ]
  ];

  # Options without effect yet: left out at their default, because the program warns about those that are set.
  silentAtDefault = [ ];
}
