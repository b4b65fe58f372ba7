# The processes of the connector on this machine: the first one has the options as they are, each further one what it
# can't share. One process keeps the unit's plain name.
{ lib }:
cfg:
let
  several = cfg.processes > 1;
  member =
    number:
    let
      further = number > 1;
      isFurther = lib.optionalString further;
    in
    {
      inherit number;
      unit = "homeport-connector${lib.optionalString several "@${toString number}"}";
      # Below /etc/homeport, without its ending.
      file = "connector${isFurther "-${toString number}"}";
      values =
        cfg
        // lib.optionalAttrs further {
          listen = cfg.listen // {
            port = cfg.listen.port + number - 1;
          };
          metricsListen =
            if cfg.metricsListen == null then
              null
            else
              cfg.metricsListen // { port = cfg.metricsListen.port + number - 1; };
          stateDirectory = "${cfg.stateDirectory}-${toString number}";
        };
    };
in
rec {
  inherit several;
  all = map member (lib.range 1 cfg.processes);
  units = map ({ unit, ... }: unit) all;
}
