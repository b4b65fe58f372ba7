# The options of NixOS that our modules set or read, declared with the types NixOS gives them: a name or a type that
# NixOS would refuse is refused here.
{
  imports = [
    ./system.nix
    ./systemd.nix
    ./servers.nix
    ./proxies.nix
  ];
}
