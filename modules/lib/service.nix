# The unit of one of our services: start, restart, reload and credentials are the same for all of them.
{ lib, pkgs }:
{
  name,
  package,
  # What `render.nix` gives.
  rendered,
  hardening,
  description,
  # Name of its file below /etc/homeport, where it is another than the program's.
  file ? name,
}:
let
  program = lib.getExe' package "homeport-${name}";
  json = pkgs.writeText "homeport-${file}.json" rendered.json;

  # A configuration the program would refuse fails the build, not the start; a foreign platform's program can't be run here.
  checked =
    if pkgs.stdenv.buildPlatform.canExecute pkgs.stdenv.hostPlatform then
      pkgs.runCommand "homeport-${file}-checked.json" { inherit json; } ''
        ${program} check-config "$json"
        cp "$json" "$out"
      ''
    else
      json;
in
{
  etc."homeport/${file}.json".source = checked;

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
        ExecStart = "${program} run --config /etc/homeport/${file}.json";
        ExecReload = "${lib.getExe' pkgs.coreutils "kill"} -HUP $MAINPID";
        LoadCredential = rendered.credentials;
      };
  };
}
