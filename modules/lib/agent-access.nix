# What the agent must be allowed for its optional sections: tunnels, mail queue and zones.
{
  lib,
  pkgs,
  config,
}:
let
  cfg = config.services.homeport.agent;
  path = "services.homeport.agent";

  inherit (config.services) postfix knot;
in
{
  # Whether this machine has tunnels that NixOS knows of.
  hasTunnels =
    config.networking.wireguard.enable
    || config.networking.wg-quick.interfaces != { }
    || lib.any (device: device.netdevConfig.Kind or null == "wireguard") (
      builtins.attrValues config.systemd.network.netdevs
    );

  # Programs the sections ask.
  programs =
    # NixOS has no option for the package of WireGuard's tools.
    lib.optional cfg.wireguard pkgs.wireguard-tools
    ++ lib.optional cfg.postfix postfix.package
    ++ lib.optional cfg.knot knot.package;

  # The programs' own set-group-ID bits do nothing under NoNewPrivileges. Groups count inside the unit's user namespace too.
  groups = lib.optional cfg.postfix postfix.setgidGroup ++ lib.optional cfg.knot "knot";

  # The kernel shows tunnel peers to nobody without a capability in its own user namespace.
  hardening = lib.optionalAttrs (
    cfg.wireguard && cfg.tunnelAccess
  ) (import ../generated/hardening.nix).agentTunnelAccess;

  assertions = [
    {
      assertion = cfg.postfix -> postfix.enable;
      message = "${path}.postfix is true, but this machine has no mail queue to report: services.postfix.enable is false. Set services.postfix.enable to true, or ${path}.postfix to false.";
    }
    {
      assertion = cfg.knot -> knot.enable;
      message = "${path}.knot is true, but this machine has no zones to report: services.knot.enable is false. Set services.knot.enable to true, or ${path}.knot to false.";
    }
  ];
}
