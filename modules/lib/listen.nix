# What follows from the address and port a service listens on.
{ lib }:
{
  # Path of the service's options, for messages.
  path,
  listen,
  openFirewall,
}:
let
  isLoopback =
    lib.hasPrefix "127." listen.address || listen.address == "::1" || listen.address == "localhost";
  bracketed = if lib.hasInfix ":" listen.address then "[${listen.address}]" else listen.address;
in
{
  url = "http://${bracketed}:${toString listen.port}";

  allowedTCPPorts = lib.optional openFirewall listen.port;

  assertions = [
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
