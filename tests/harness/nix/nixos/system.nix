# Assertions, files, packages, the network, accounts.
{ lib, ... }:
let
  inherit (lib) mkOption types;
  declare = type: default: mkOption { inherit type default; };

  addresses = declare (types.listOf (
    types.submodule {
      options.address = mkOption { type = types.str; };
      options.prefixLength = mkOption { type = types.int; };
    }
  )) [ ];
  interface = types.submodule {
    options.ipv4.addresses = addresses;
    options.ipv6.addresses = addresses;
  };
  account = types.submodule {
    options = {
      isSystemUser = declare types.bool false;
      isNormalUser = declare types.bool false;
      group = declare types.str "";
      extraGroups = declare (types.listOf types.str) [ ];
      description = declare types.str "";
      home = declare types.path "/var/empty";
    };
  };
  etcFile = types.submodule {
    options = {
      enable = declare types.bool true;
      text = declare (types.nullOr types.lines) null;
      source = mkOption { type = types.path; };
      mode = declare types.str "symlink";
    };
  };
in
{
  options = {
    assertions = declare (types.listOf types.unspecified) [ ];
    warnings = declare (types.listOf types.str) [ ];
    meta.maintainers = declare (types.listOf (types.enum (lib.attrValues (lib.maintainers or { })))) [ ];
    environment = {
      etc = declare (types.attrsOf etcFile) { };
      systemPackages = declare (types.listOf types.package) [ ];
    };
    networking = {
      firewall = {
        allowedTCPPorts = declare (types.listOf types.port) [ ];
        interfaces = declare (types.attrsOf (
          types.submodule { options.allowedTCPPorts = declare (types.listOf types.port) [ ]; }
        )) { };
      };
      interfaces = declare (types.attrsOf interface) { };
      wireguard.enable = declare types.bool false;
      wireguard.interfaces = declare (types.attrsOf (
        types.submodule { options.ips = declare (types.listOf types.str) [ ]; }
      )) { };
      wg-quick.interfaces = declare (types.attrsOf (
        types.submodule { options.address = declare (types.listOf types.str) [ ]; }
      )) { };
    };
    users.users = declare (types.attrsOf account) { };
    users.groups = declare (types.attrsOf (
      types.submodule { options.members = declare (types.listOf types.str) [ ]; }
    )) { };
  };
}
