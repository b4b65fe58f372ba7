# Units. Directives are free, as in NixOS; that they exist is what systemd-analyze is asked about.
{ lib, ... }:
let
  inherit (lib) mkOption types;
  declare = type: default: mkOption { inherit type default; };

  scalar = types.oneOf [
    types.bool
    types.int
    types.str
    types.path
    types.package
  ];
  # All definitions of a directive are lists, which are joined, or all are single values, which must agree.
  directive = types.either (types.listOf scalar) scalar;
  directives = declare (types.attrsOf directive) { };

  unitNames = declare (types.listOf (types.strMatching "[a-zA-Z0-9@%:_.\\-]+[.](service|socket|target|timer|mount)")) [ ];

  ofEveryUnit = {
    enable = declare types.bool true;
    description = declare types.singleLineStr "";
    documentation = declare (types.listOf types.str) [ ];
    wantedBy = unitNames;
    wants = unitNames;
    requires = unitNames;
    bindsTo = unitNames;
    after = unitNames;
    before = unitNames;
    unitConfig = directives;
    restartTriggers = declare (types.listOf types.unspecified) [ ];
    reloadTriggers = declare (types.listOf directive) [ ];
  };
  service = types.submodule {
    options = ofEveryUnit // {
      path = declare (types.listOf (
        types.oneOf [
          types.package
          types.str
        ]
      )) [ ];
      environment = declare (types.attrsOf (types.nullOr scalar)) { };
      script = declare types.lines "";
      serviceConfig = directives;
      restartIfChanged = declare types.bool true;
      reloadIfChanged = declare types.bool false;
    };
  };
  socket = types.submodule {
    options = ofEveryUnit // {
      listenStreams = declare (types.listOf types.str) [ ];
      socketConfig = directives;
    };
  };
  netdev = types.submodule { options.netdevConfig = directives; };
in
{
  options.systemd = {
    services = declare (types.attrsOf service) { };
    sockets = declare (types.attrsOf socket) { };
    network.netdevs = declare (types.attrsOf netdev) { };
  };
}
