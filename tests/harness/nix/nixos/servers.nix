# Servers beside the agent and the connector.
{ lib, pkgs, ... }:
let
  inherit (lib) mkOption types;
  declare = type: default: mkOption { inherit type default; };

  role = types.submodule {
    options = {
      name = mkOption { type = types.str; };
      ensureDBOwnership = declare types.bool false;
    };
  };
in
{
  options.services = {
    soju = {
      enable = lib.mkEnableOption "soju";
      package = lib.mkPackageOption pkgs "soju" { };
      listen = declare (types.listOf types.str) [ ":6697" ];
      adminSocket.enable = declare types.bool true;
      enableMessageLogging = declare types.bool true;
      extraConfig = declare types.lines "";
    };
    postgresql = {
      enable = lib.mkEnableOption "PostgreSQL";
      ensureDatabases = declare (types.listOf types.str) [ ];
      ensureUsers = declare (types.listOf role) [ ];
    };
    postfix = {
      enable = lib.mkEnableOption "Postfix";
      package = lib.mkPackageOption pkgs "postfix" { };
      setgidGroup = declare types.str "postdrop";
    };
    knot = {
      enable = lib.mkEnableOption "Knot";
      package = lib.mkPackageOption pkgs "knot-dns" { };
    };
  };
}
