# nginx and Caddy.
{ lib, ... }:
let
  inherit (lib) mkOption types;
  declare = type: default: mkOption { inherit type default; };

  location = types.submodule {
    options = {
      proxyPass = declare (types.nullOr types.str) null;
      recommendedProxySettings = declare types.bool false;
      extraConfig = declare types.lines "";
    };
  };
  nginxHost = types.submodule {
    options = {
      forceSSL = declare types.bool false;
      enableACME = declare types.bool false;
      locations = declare (types.attrsOf location) { };
    };
  };
  nginxUpstream = types.submodule {
    options.servers = declare (types.attrsOf (types.attrsOf (types.oneOf [
      types.bool
      types.int
      types.str
    ]))) { };
  };
  caddyHost = types.submodule { options.extraConfig = declare types.lines ""; };
in
{
  options.services = {
    nginx = {
      enable = lib.mkEnableOption "nginx";
      virtualHosts = declare (types.attrsOf nginxHost) { };
      upstreams = declare (types.attrsOf nginxUpstream) { };
    };
    caddy = {
      enable = lib.mkEnableOption "Caddy";
      virtualHosts = declare (types.attrsOf caddyHost) { };
    };
  };
}
