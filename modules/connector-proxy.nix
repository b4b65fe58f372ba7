# A proxy with TLS in front of the connector: services.homeport.connector.{nginx,caddy}.enable.
{ config, lib, ... }:
let
  cfg = config.services.homeport.connector;
  path = "services.homeport.connector";

  inherit (import ./lib/processes.nix { inherit lib; } cfg) all several;
  urls = map (
    { values, ... }:
    (import ./lib/listen.nix { inherit lib config; } {
      inherit path;
      inherit (values) listen;
      inherit (cfg) openFirewall firewallInterfaces;
    }).url
  ) all;
  # For nginx, which has no health checks: it goes to the next one where one does not accept connections. With max_fails it would
  # leave that one out for ten seconds, and answer 502 once each has been left out.
  group = "homeport-connector";
  upstream = if several then "http://${group}" else lib.head urls;
  # For Caddy, which asks each process whether it is ready.
  watched = ''
    reverse_proxy ${lib.concatStringsSep " " urls} {
    	lb_try_duration 30s
    	health_uri /healthz
    	health_interval 1s
    	health_timeout 2s
    }'';
  authority = builtins.match "https://([^/:]+)" cfg.baseUrl;
  host = if authority == null then "invalid" else lib.head authority;

  proxyOption =
    name:
    lib.mkOption {
      type = lib.types.bool;
      default = false;
      example = true;
      description = "Whether to serve `baseUrl` by ${name} on this machine, with a certificate of its own, and to pass requests on to the connector. Ports 80 and 443 of the firewall stay as they are.";
    };
  proxied = cfg.enable && (cfg.nginx.enable || cfg.caddy.enable);
in
{
  options.services.homeport.connector = {
    nginx.enable = proxyOption "nginx";
    caddy.enable = proxyOption "Caddy";
  };

  config = lib.mkMerge [
    (lib.mkIf proxied {
      services.homeport.connector.trustedProxies = lib.mkDefault [
        "127.0.0.1"
        "::1"
      ];
      assertions = [
        {
          assertion = !(cfg.nginx.enable && cfg.caddy.enable);
          message = "${path}.nginx.enable and ${path}.caddy.enable are both true, but only one proxy can serve an address. Set one of them to false.";
        }
        {
          assertion = authority != null;
          message = "${path}.baseUrl is ${cfg.baseUrl}, but ${path}.nginx.enable and ${path}.caddy.enable serve https on its usual port only. Set ${path}.baseUrl to https://HOST, or both of them to false.";
        }
      ];
    })

    (lib.mkIf (cfg.enable && cfg.nginx.enable) {
      services.nginx = {
        enable = true;
        upstreams = lib.mkIf several {
          ${group}.servers = lib.genAttrs (map (lib.removePrefix "http://") urls) (_: {
            max_fails = 0;
          });
        };
        virtualHosts.${host} = {
          forceSSL = lib.mkDefault true;
          enableACME = lib.mkDefault true;
          locations."/" = {
            proxyPass = upstream;
            # The two of the guide and no others: a host that sets headers for all locations would send a second Host.
            recommendedProxySettings = false;
            extraConfig = ''
              proxy_set_header Host $host;
              proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            '';
          };
        };
      };
    })

    (lib.mkIf (cfg.enable && cfg.caddy.enable) {
      services.caddy = {
        enable = true;
        virtualHosts.${host}.extraConfig = if several then watched else "reverse_proxy ${upstream}";
      };
    })
  ];
}
