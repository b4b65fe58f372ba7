# The options of NixOS and Home Manager that our modules set, as loosely typed as a test can bear.
{ lib, pkgs, ... }:
let
  inherit (lib) mkOption types;
  option = type: default: mkOption { inherit type default; description = "Of the system around."; };
  anything = option (types.attrsOf types.anything) { };
  items = option (types.listOf types.anything) [ ];
  switch = option types.bool false;
in
{
  options = {
    assertions = items;
    environment = {
      etc = anything;
      systemPackages = items;
    };
    networking = {
      firewall.allowedTCPPorts = option (types.listOf types.port) [ ];
      wireguard.enable = switch;
      wg-quick.interfaces = anything;
    };
    systemd.network.netdevs = anything;
    systemd.services = option (types.attrsOf (types.submodule {
      options = {
        description = option types.str "";
        wantedBy = items;
        wants = items;
        after = items;
        requires = items;
        restartTriggers = items;
        path = items;
        serviceConfig = anything;
      };
    })) { };
    systemd.sockets = option (types.attrsOf (types.submodule {
      options = {
        description = option types.str "";
        wantedBy = items;
        listenStreams = items;
        socketConfig = anything;
      };
    })) { };
    users.groups = anything;
    users.users = anything;
    services = {
      soju = {
        enable = switch;
        package = option types.anything pkgs.soju;
        listen = option (types.listOf types.str) [ ":6697" ];
        adminSocket.enable = option types.bool true;
        enableMessageLogging = option types.bool true;
        extraConfig = option types.lines "";
      };
      postgresql = {
        enable = switch;
        ensureDatabases = items;
        ensureUsers = items;
      };
      postfix = {
        enable = switch;
        setgidGroup = option types.str "postdrop";
      };
      knot = {
        enable = switch;
        package = option types.anything pkgs.knot-dns;
      };
      nginx = {
        enable = switch;
        virtualHosts = anything;
      };
      caddy = {
        enable = switch;
        virtualHosts = anything;
      };
    };
    home.packages = items;
    xresources.properties = option (types.attrsOf types.str) { };
  };
}
