# Evaluates our modules with a configuration as NixOS or Home Manager would, and gives what they ask of the system as plain data.
{
  # nixpkgs' own.
  libPath,
  # Declarations of the system around.
  system,
  modules,
  # Packages in place of the stand-ins, made of those.
  replaced ? _: { },
}:
let
  lib = import libPath;
  standIns = import ./pkgs.nix { inherit lib; };
  pkgs = standIns // replaced standIns;

  evaluated = lib.evalModules {
    specialArgs = { inherit pkgs; };
    modules = [ system ] ++ modules;
  };
  inherit (evaluated) config;
  ofSystem = lib.optionalAttrs (evaluated.options ? systemd);

  # A list is a repeated directive, a boolean is written out.
  directive =
    name: value:
    if lib.isList value then
      lib.concatMapStrings (directive name) value
    else
      "${name}=${if lib.isBool value then lib.boolToString value else toString value}\n";
  section =
    name: directives:
    "[${name}]\n"
    + lib.concatMapStrings (key: directive key directives.${key}) (builtins.attrNames directives);
  unitSection =
    unit:
    section "Unit" (
      {
        Description = unit.description;
        After = unit.after;
        Wants = unit.wants;
        Requires = unit.requires;
      }
      // unit.unitConfig
    );

  # Files that NixOS would write into its store: path -> text.
  isText = value: value ? text && value ? outPath;
  textFiles = values: lib.listToAttrs (map (file: lib.nameValuePair file.outPath file.text) (builtins.filter isText values));
  build = source: {
    inherit (source) script;
    environment = lib.mapAttrs (_: toString) source.environment;
    files = textFiles (builtins.attrValues source.environment);
  };
  built = lib.filterAttrs (_: file: file.text == null && file.source ? script) config.environment.etc;
in
{
  failed = map (assertion: assertion.message) (
    builtins.filter (assertion: !assertion.assertion) config.assertions
  );
  inherit (config) warnings;
}
// ofSystem {
  etc = lib.mapAttrs (
    name: file:
    if file.text != null then file.text else built.${name}.source.environment.json.text
  ) config.environment.etc;
  builds = lib.mapAttrs (_: file: build file.source) built;
  # Without those of nixpkgs to which a module only adds a script.
  units = lib.mapAttrs (_: unit: unitSection unit + section "Service" unit.serviceConfig) (
    lib.filterAttrs (_: unit: unit.script == "") config.systemd.services
  );
  # What a module adds to the scripts of units, also to those of nixpkgs.
  scripts = lib.filterAttrs (_: script: script != "") (lib.mapAttrs (_: unit: unit.script) config.systemd.services);
  triggers = lib.mapAttrs (_: unit: {
    reload = toString unit.reloadTriggers;
    restart = toString unit.restartTriggers;
  }) config.systemd.services;
  sockets = lib.mapAttrs (
    _: socket:
    unitSection socket + section "Socket" (socket.socketConfig // { ListenStream = socket.listenStreams; })
  ) config.systemd.sockets;
  programs = lib.mapAttrs (_: unit: map (package: package.name) unit.path) config.systemd.services;
  wanted = {
    services = lib.mapAttrs (_: unit: unit.wantedBy) config.systemd.services;
    sockets = lib.mapAttrs (_: unit: unit.wantedBy) config.systemd.sockets;
  };
  ports = config.networking.firewall.allowedTCPPorts;
  portsAt = lib.mapAttrs (_: interface: interface.allowedTCPPorts) config.networking.firewall.interfaces;
  groups = builtins.attrNames config.users.groups;
  users = lib.mapAttrs (_: user: { inherit (user) isSystemUser group; }) config.users.users;
  installed = map (item: item.name) config.environment.systemPackages;
  soju = { inherit (config.services.soju) enable listen enableMessageLogging extraConfig; };
  postgresql = { inherit (config.services.postgresql) enable ensureDatabases ensureUsers; };
  nginx = { inherit (config.services.nginx) enable virtualHosts upstreams; };
  caddy = { inherit (config.services.caddy) enable virtualHosts; };
}
// lib.optionalAttrs (evaluated.options ? home) {
  installed = map (item: item.name) config.home.packages;
  xresources = { inherit (config.xresources) properties extraConfig; };
}
