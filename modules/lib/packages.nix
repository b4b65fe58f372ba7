# The programs of this repository, or what an overlay has in place of them.
{ pkgs }:
let
  own = import ../../nix/packages { inherit pkgs; };
in
{
  agent = pkgs.homeport-agent or own.agent;
  connector = pkgs.homeport-connector or own.connector;
  termprog = pkgs.termprog or own.termprog;
}
