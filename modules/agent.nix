# The host report agent as a service: services.homeport.agent and services.homeport.hosts.
{
  config,
  lib,
  pkgs,
  ...
}:
let
  cfg = config.services.homeport.agent;

  generated = import ./generated/agent.options.nix { inherit lib; };
  listen = import ./lib/listen.nix { inherit lib; } {
    path = "services.homeport.agent";
    inherit (cfg) listen openFirewall;
  };
  service = import ./lib/service.nix { inherit lib pkgs; } {
    name = "agent";
    inherit (cfg) package;
    rendered = import ./lib/render.nix { inherit lib; } {
      inherit generated;
      values = config.services.homeport;
    };
    hardening = (import ./generated/hardening.nix).agent;
    description = "Homeport agent: report of this host";
  };
in
{
  imports = [ { options.services.homeport = generated.options; } ];

  options.services.homeport.agent = {
    enable = lib.mkEnableOption "the Homeport agent, which reports the state of this host";

    package = lib.mkOption {
      type = lib.types.package;
      default = (import ../nix/packages { inherit pkgs; }).agent;
      defaultText = lib.literalExpression "homeport.packages.\${system}.agent";
      description = "The package with the program `homeport-agent`.";
    };

    openFirewall = lib.mkOption {
      type = lib.types.bool;
      default = false;
      description = "Whether to open the port of `listen.port` to other machines.";
    };
  };

  config = lib.mkIf cfg.enable {
    inherit (listen) assertions;
    environment.etc = service.etc;
    networking.firewall.allowedTCPPorts = listen.allowedTCPPorts;
    systemd.services.homeport-agent = service.unit;
  };
}
