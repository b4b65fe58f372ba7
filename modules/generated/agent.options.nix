# Written by `npm run generate`. Changes made here are lost.
{ lib }:
let
  inherit (lib) mkOption types;

  # What Nix says that it expected, in place of a pattern or of a type's name.
  explained = type: description: type // { inherit description; };
in
{
  options = {
    agent = {
      listen = {
        address = mkOption {
          type = explained (types.strMatching "([A-Za-z0-9_]([A-Za-z0-9._-]*[A-Za-z0-9])?|[0-9A-Fa-f.]*:[0-9A-Fa-f.:]*:[0-9A-Fa-f.:]*(%[A-Za-z0-9._-]+)?)") "an address of this machine without a port and without brackets, such as 10.0.0.1, fd00::1, fe80::1%eth0 or host.example.org; the port is the option beside it";
          default = "127.0.0.1";
          description = "Address to listen on; that of a private tunnel in a network of hosts.";
        };
        port = mkOption {
          type = types.port;
          default = 9105;
          description = "TCP port to listen on.";
        };
        unix = mkOption {
          type = types.nullOr types.str;
          default = null;
          description = "Unix socket to listen on in place of address and port. A socket that systemd passes wins over all of them.";
        };
      };
      userUnits = {
        user = mkOption {
          type = types.nullOr (explained (types.strMatching "[A-Za-z_][A-Za-z0-9_.-]*") "the name of an account");
          default = null;
          description = "Account whose service manager is asked about each `userUnit` of a request; unset, the agent's own.";
        };
        socket = mkOption {
          type = types.str;
          default = "/run/homeport-user-units/socket";
          description = "Unix socket at which `homeport-agent user-units` answers, started by systemd as that account.";
        };
      };
      tokenFile = mkOption {
        type = explained types.externalPath "absolute path as a text, such as \"/run/secrets/token\": a path literal such as ./token would be copied to the Nix store, where everybody may read it";
        description = "File with the bearer token that the hub and Prometheus present.";
      };
      logLevel = mkOption {
        type = types.enum [ "debug" "info" "warn" "error" ];
        default = "info";
        description = "Least severe records written to standard error.";
      };
      unameInfo = mkOption {
        type = types.bool;
        default = false;
        description = "Whether to expose `node_uname_info`, which carries the host name. Common dashboards select hosts by it. A reload applies a change.";
      };
      networkFilesystems = mkOption {
        type = types.bool;
        default = false;
        description = "Whether to report mounted file systems of other machines too, such as NFS and SMB. One whose server does not answer is left out and named. A reload applies a change.";
      };
      exclude = {
        mountPoints = mkOption {
          type = types.nullOr (explained (types.strMatching "(\\(*(\\((\\?:|\\?<[A-Za-z_][A-Za-z0-9_]*>)|\\\\[^1-9k]|\\[([^]\\]|\\\\.)*]|[^(?\\[])|\\?)+\\(*") "a regular expression such as ^/mnt/, without look-around — (?=, (?!, (?<=, (?<! —, back-references — \\1, \\k — and flags — (?i) —, which cannot be matched in bounded time; say what is left out by choices such as (a|b) and classes such as [aA]");
          default = null;
          description = "Regular expression for mount points of file systems that are left out, such as `^/mnt/backup($|/)`. A reload applies a change.";
        };
        filesystemTypes = mkOption {
          type = types.nullOr (explained (types.strMatching "(\\(*(\\((\\?:|\\?<[A-Za-z_][A-Za-z0-9_]*>)|\\\\[^1-9k]|\\[([^]\\]|\\\\.)*]|[^(?\\[])|\\?)+\\(*") "a regular expression such as ^/mnt/, without look-around — (?=, (?!, (?<=, (?<! —, back-references — \\1, \\k — and flags — (?i) —, which cannot be matched in bounded time; say what is left out by choices such as (a|b) and classes such as [aA]");
          default = null;
          description = "Regular expression for types of file systems that are left out, such as `^(vfat|fuseblk)$`. A reload applies a change.";
        };
        devices = mkOption {
          type = types.nullOr (explained (types.strMatching "(\\(*(\\((\\?:|\\?<[A-Za-z_][A-Za-z0-9_]*>)|\\\\[^1-9k]|\\[([^]\\]|\\\\.)*]|[^(?\\[])|\\?)+\\(*") "a regular expression such as ^/mnt/, without look-around — (?=, (?!, (?<=, (?<! —, back-references — \\1, \\k — and flags — (?i) —, which cannot be matched in bounded time; say what is left out by choices such as (a|b) and classes such as [aA]");
          default = null;
          description = "Regular expression for block devices whose counters are left out, such as `^dm-`. A reload applies a change.";
        };
        interfaces = mkOption {
          type = types.nullOr (explained (types.strMatching "(\\(*(\\((\\?:|\\?<[A-Za-z_][A-Za-z0-9_]*>)|\\\\[^1-9k]|\\[([^]\\]|\\\\.)*]|[^(?\\[])|\\?)+\\(*") "a regular expression such as ^/mnt/, without look-around — (?=, (?!, (?<=, (?<! —, back-references — \\1, \\k — and flags — (?i) —, which cannot be matched in bounded time; say what is left out by choices such as (a|b) and classes such as [aA]");
          default = null;
          description = "Regular expression for network interfaces that are left out, such as `^(br-|docker)`. A reload applies a change.";
        };
      };
      wireguard = mkOption {
        type = types.bool;
        default = true;
        description = "Whether to report the peers of WireGuard tunnels. A reload applies a change.";
      };
      wgPeers = mkOption {
        type = types.attrsOf (explained (types.strMatching "[A-Za-z0-9+/]{43}=") "a WireGuard public key: 43 characters of base64 and =");
        default = { };
        description = "Host names by which tunnel peers are labelled, each with its public key; wins over `hosts.wgPeers`. A reload applies a change.";
      };
      postfix = mkOption {
        type = types.bool;
        default = false;
        description = "Whether to report the mail queue of Postfix. A reload applies a change.";
      };
      knot = mkOption {
        type = types.bool;
        default = false;
        description = "Whether to report the zones of the Knot DNS server. A reload applies a change.";
      };
      knotSocket = mkOption {
        type = types.str;
        default = "/run/knot/knot.sock";
        description = "Control socket of the Knot DNS server. A reload applies a change.";
      };
    };
    hosts = {
      wgPeers = mkOption {
        type = types.attrsOf (explained (types.strMatching "[A-Za-z0-9+/]{43}=") "a WireGuard public key: 43 characters of base64 and =");
        default = { };
        description = "Host names of all tunnel peers, each with its public key; shared by the hosts of one network. A reload applies a change.";
      };
    };
  };

  # Options without a default, each with the option that has to be given first for it to be needed.
  required = [
    { path = [ "agent" "tokenFile" ]; within = [ ]; }
  ];

  # Options that name a file with a secret.
  secretFiles = [
    [ "agent" "tokenFile" ]
  ];

  # Options that a reload applies. A change of any other one needs a restart.
  softOptions = [
    [ "agent" "unameInfo" ]
    [ "agent" "networkFilesystems" ]
    [ "agent" "exclude" "mountPoints" ]
    [ "agent" "exclude" "filesystemTypes" ]
    [ "agent" "exclude" "devices" ]
    [ "agent" "exclude" "interfaces" ]
    [ "agent" "wireguard" ]
    [ "agent" "wgPeers" ]
    [ "agent" "postfix" ]
    [ "agent" "knot" ]
    [ "agent" "knotSocket" ]
    [ "hosts" "wgPeers" ]
  ];

  # Options without effect in this version, each with the default at which it stands unless somebody sets it.
  withoutEffect = [ ];
}
