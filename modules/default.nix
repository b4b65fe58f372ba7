# All modules of Homeport.
{
  imports = [
    ./connector.nix
    ./agent.nix
    ./termprog.nix
  ];
}
