# The unit of one of our services: start, restart, reload and credentials are the same for all of them.
{ lib, pkgs }:
{
  name,
  package,
  # What `render.nix` gives.
  rendered,
  hardening,
  description,
}:
let
  program = lib.getExe' package "homeport-${name}";
  json = pkgs.writeText "homeport-${name}.json" rendered.json;

  # A configuration the program would refuse fails the build, not the start; a foreign platform's program can't be run here.
  checked =
    if pkgs.stdenv.buildPlatform.canExecute pkgs.stdenv.hostPlatform then
      pkgs.runCommand "homeport-${name}-checked.json" { inherit json; } ''
        ${program} check-config "$json"
        cp "$json" "$out"
      ''
    else
      json;
in
{
  etc."homeport/${name}.json".source = checked;

  unit = {
    inherit description;
    wantedBy = [ "multi-user.target" ];
    wants = [ "network-online.target" ];
    after = [ "network-online.target" ];
    # systemd goes on trying, also where a person restarts a service that fails.
    unitConfig.StartLimitIntervalSec = lib.mkDefault 0;
    # A switch of the system sends SIGHUP where only options changed that the program takes on while it runs.
    reloadTriggers = [ rendered.softJson ];
    restartTriggers = [ rendered.hardJson ];
    serviceConfig =
      hardening
      // (import ../generated/hardening.nix)."${name}Lifecycle"
      // {
        ExecStart = "${program} run --config /etc/homeport/${name}.json";
        ExecReload = "${lib.getExe' pkgs.coreutils "kill"} -HUP $MAINPID";
        LoadCredential = rendered.credentials;
      };
  };
}
