# The soju bouncer beside the connector: services.homeport.connector.soju.enable.
{
  config,
  lib,
  pkgs,
  ...
}:
let
  cfg = config.services.homeport.connector;
  path = "services.homeport.connector";

  # May write to soju's sockets. Its name must differ from the units': systemd refuses a dynamic user whose name is a static group's.
  group = "homeport-soju";
  # Where the NixOS module of soju has its directory and its admin socket.
  runtimeDirectory = "/run/soju";
  adminSocket = "${runtimeDirectory}/admin";
  ircSocket = lib.removePrefix "unix://" cfg.bouncer.soju.address;
  hasIrcSocket = ircSocket != cfg.bouncer.soju.address;

  sojuctlConfig = pkgs.writeText "sojuctl.conf" ''
    listen unix+admin://${adminSocket}
  '';
  # systemd waits 90 s for a unit to start: what is wrong must be said before. It waits for this script even if soju
  # (MAINPID) has ended, and restarts soju only then.
  waitSeconds = 60;

  # soju makes its sockets for itself alone while it starts, the one for administration last. Run by soju's own account,
  # which is a member of the group, once soju answers: root must not touch what lies in a directory that soju may write.
  # systemd may run this while soju's process is still root's, so that no signal may be sent to it (kill -0).
  shareSockets = pkgs.writeShellScript "share-soju-sockets" ''
    PATH=${lib.makeBinPath [ pkgs.coreutils ]}
    if ! timeout ${toString waitSeconds} ${pkgs.runtimeShell} -c 'until timeout 2 "$@" >/dev/null 2>&1; do [ -e "/proc/$MAINPID" ] || exit 1; sleep 0.2; done' \
      sh ${lib.getExe' config.services.soju.package "sojuctl"} -config ${sojuctlConfig} server status
    then
      echo "soju ended, or did not answer on ${adminSocket} within ${toString waitSeconds} s" >&2
      exit 1
    fi
    for socket in ${lib.escapeShellArgs ([ adminSocket ] ++ lib.optional hasIrcSocket ircSocket)}; do
      chgrp --no-dereference ${group} "$socket" && chmod 0660 "$socket" || exit 1
    done
  '';
in
{
  options.services.homeport.connector.soju.enable = lib.mkOption {
    type = lib.types.bool;
    default = false;
    example = true;
    description = "Whether to run soju on this machine for the connector. Otherwise the connector's unit needs a group that may write to `bouncer.soju.adminSocket`.";
  };

  config = lib.mkIf (cfg.enable && cfg.soju.enable) {
    assertions = [
      {
        assertion = cfg.bouncer ? soju && cfg.bouncer.soju.adminSocket == adminSocket;
        message = "${path}.soju.enable runs soju with its admin socket at ${adminSocket}, but ${path}.bouncer.soju.adminSocket is ${cfg.bouncer.soju.adminSocket}. Set ${path}.bouncer.soju.adminSocket to ${adminSocket}, or ${path}.soju.enable to false.";
      }
      {
        assertion = !hasIrcSocket || (builtins.dirOf ircSocket == runtimeDirectory && ircSocket != adminSocket);
        message = "${path}.bouncer.soju.address is ${cfg.bouncer.soju.address}, but the soju of ${path}.soju.enable can make sockets in ${runtimeDirectory} only, and ${adminSocket} is taken. Set ${path}.bouncer.soju.address to unix://${runtimeDirectory}/irc, or to an address of this machine such as irc+insecure://127.0.0.1:6667.";
      }
      {
        assertion = !config.services.soju.enableMessageLogging;
        message = "services.soju.enableMessageLogging keeps history in text files without message ids, but the soju of ${path}.soju.enable must keep it in its database. Set services.soju.enableMessageLogging to false.";
      }
    ];

    services.soju = {
      enable = true;
      listen = [ cfg.bouncer.soju.address ];
      adminSocket.enable = true;
      enableMessageLogging = lib.mkDefault false;
      extraConfig = "message-store db";
    };

    users.groups.${group} = { };
    systemd.services = {
      soju.serviceConfig = {
        SupplementaryGroups = [ group ];
        ExecStartPost = [ "${shareSockets}" ];
      };
    }
    // lib.genAttrs (import ./lib/processes.nix { inherit lib; } cfg).units (_: {
      wants = [ "soju.service" ];
      after = [ "soju.service" ];
      serviceConfig.SupplementaryGroups = [ group ];
    });
  };
}
