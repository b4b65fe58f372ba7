# Warnings about options that are set where nothing reads them.
{ lib, options }:
let
  defaultPriority = (lib.mkOptionDefault null).priority;
  isSet = path: (lib.attrByPath path { } options).highestPrio or defaultPriority < defaultPriority;
in
# A list of { option, when, because }: the path of the option, whether nothing reads it, and why.
entries:
map (
  { option, because, ... }: "${lib.concatStringsSep "." option} is set, but has no effect: ${because}"
) (lib.filter ({ option, when, ... }: when && isSet option) entries)
