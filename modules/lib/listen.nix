# What follows from the address and port a service listens on.
{ lib, config }:
{
  # Path of the service's options, for messages.
  path,
  listen,
  openFirewall,
  # Where it opens the port; empty: everywhere.
  firewallInterfaces,
}:
let
  ports = lib.optional openFirewall listen.port;

  # The units of NixOS that bring up what has the address. Those of systemd-networkd belong to network-online.target.
  # An address of a link is listened on with its interface behind it: fe80::1%wg0.
  bare = address: lib.toLower (lib.head (lib.splitString "%" (lib.head (lib.splitString "/" address))));
  has = addresses: lib.any (address: bare address == bare listen.address) addresses;
  named =
    prefix: addressesOf: interfaces:
    map (name: "${prefix}-${name}.service") (
      builtins.attrNames (lib.filterAttrs (_: interface: has (addressesOf interface)) interfaces)
    );
  inherit (config.networking) wireguard wg-quick;
  units =
    named "wireguard" (interface: interface.ips or [ ]) (wireguard.interfaces or { })
    ++ named "wg-quick" (interface: interface.address) wg-quick.interfaces
    ++ named "network-addresses" (
      interface: map ({ address, ... }: address) (interface.ipv4.addresses ++ interface.ipv6.addresses)
    ) (config.networking.interfaces or { });
  isLoopback =
    lib.hasPrefix "127." listen.address || listen.address == "::1" || listen.address == "localhost";
  bracketed = if lib.hasInfix ":" listen.address then "[${listen.address}]" else listen.address;
in
{
  url = "http://${bracketed}:${toString listen.port}";

  firewall =
    if firewallInterfaces == [ ] then
      { allowedTCPPorts = ports; }
    else
      { interfaces = lib.genAttrs firewallInterfaces (_: { allowedTCPPorts = ports; }); };

  # A tunnel comes up after the network is online.
  unit = {
    after = units;
    wants = units;
  };

  assertions = [
    {
      assertion = firewallInterfaces == [ ] || openFirewall;
      message = "${path}.firewallInterfaces names where the port is to be opened, but ${path}.openFirewall is false. Set ${path}.openFirewall to true, or ${path}.firewallInterfaces to [ ].";
    }
    {
      assertion = !(openFirewall && isLoopback);
      message = "${path}.openFirewall opens a port that other machines can't reach: ${path}.listen.address is ${listen.address}, an address of this machine alone. Set ${path}.listen.address to an address others can reach, or ${path}.openFirewall to false.";
    }
    {
      assertion = listen.port >= 1024;
      message = "${path}.listen.port is ${toString listen.port}, but the service has no capability and can't listen below 1024. Set ${path}.listen.port to a higher port, and put a proxy in front of it where the low port is needed.";
    }
  ];
}
