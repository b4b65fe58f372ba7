# Evaluates our modules with a configuration as NixOS would, and gives what they ask of the system as plain data.
{
  # Folder or file of lib: nixpkgs' own, or the small one beside this file.
  libPath ? ./lib.nix,
  modules,
  # Packages other than the stand-ins.
  replaced ? { },
}:
let
  lib = import libPath;
  pkgs = import ./pkgs.nix { inherit lib; } // replaced;

  inherit
    (lib.evalModules {
      specialArgs = { inherit pkgs; };
      modules = [ ./nixos.nix ] ++ modules;
    })
    config
    ;

  # A list is a repeated directive, a boolean is written out.
  directive =
    name: value:
    if lib.isList value then
      lib.concatMapStrings (directive name) value
    else
      "${name}=${if lib.isBool value then lib.boolToString value else toString value}\n";
  section = name: directives: "[${name}]\n" + lib.concatMapStrings (key: directive key directives.${key}) (builtins.attrNames directives);
  unitText =
    unit:
    section "Unit" {
      Description = unit.description;
      After = unit.after;
      Wants = unit.wants;
      Requires = unit.requires;
    }
    + section "Service" unit.serviceConfig;
in
{
  failed = map (assertion: assertion.message) (builtins.filter (assertion: !assertion.assertion) config.assertions);
  etc = lib.mapAttrs (_: file: file.text or file.source.json.text) config.environment.etc;
  checks = lib.mapAttrs (_: file: file.source.script or "") config.environment.etc;
  units = lib.mapAttrs (_: unitText) config.systemd.services;
  sockets = lib.mapAttrs (
    _: socket:
    section "Unit" { Description = socket.description; }
    + section "Socket" (socket.socketConfig // { ListenStream = socket.listenStreams; })
  ) config.systemd.sockets;
  programs = lib.mapAttrs (_: unit: map (package: package.name) unit.path) config.systemd.services;
  ports = config.networking.firewall.allowedTCPPorts;
  groups = builtins.attrNames config.users.groups;
  installed = map (item: item.name) (config.environment.systemPackages ++ config.home.packages);
  soju = { inherit (config.services.soju) enable listen enableMessageLogging extraConfig; };
  postgresql = { inherit (config.services.postgresql) enable ensureDatabases ensureUsers; };
  users = config.users.users;
  nginx = { inherit (config.services.nginx) enable virtualHosts; };
  caddy = { inherit (config.services.caddy) enable virtualHosts; };
  xresources = config.xresources.properties;
}
