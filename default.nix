# For those who don't use flakes: (import ./homeport { }).packages.connector, (import ./homeport { }).nixosModules.default
{
  pkgs ? import <nixpkgs> { },
}:
{
  packages = import ./nix/packages { inherit pkgs; };
  nixosModules = {
    connector = ./modules/connector.nix;
    agent = ./modules/agent.nix;
    termprog = ./modules/termprog.nix;
    default = ./modules;
  };
  homeModules.termprog = ./modules/home/termprog.nix;
}
