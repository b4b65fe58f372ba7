# Text that systemd takes as it stands: it has specifiers, which begin with %.
{ lib }: lib.replaceStrings [ "%" ] [ "%%" ]
