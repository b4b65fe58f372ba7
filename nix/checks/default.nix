# Checks that need a whole NixOS: each service starts in a virtual machine and answers.
{ pkgs, modules }:
{
  agent = import ./agent.nix { inherit pkgs modules; };
  connector = import ./connector.nix { inherit pkgs modules; };
  connector-proxies = import ./connector-proxies.nix { inherit pkgs modules; };
}
