# Tells the terminal where prompts, commands and their output begin and end (OSC 133), and the present directory (OSC 7).
# Source it at the end of ~/.bashrc. For commands and their status it needs bash 4.4 or newer.

case $-:${TERM-} in
  *i*:?*) ;;
  *) return 0 ;;
esac
case $TERM in
  # They would show what they do not understand.
  dumb | unknown | linux* | vt[0-9]* | eterm* | cons*) return 0 ;;
esac

# The directory and its address; whether a command ran since the last prompt.
__termprog_directory=
__termprog_address=
__termprog_ran=0

# As an address has it: each byte but those of plain names as % and two digits.
__termprog_encode() {
  local LC_ALL=C at byte number
  __termprog_address=
  for ((at = 0; at < ${#1}; at += 1)); do
    byte=${1:at:1}
    case $byte in
      [abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._~-]) ;;
      *)
        printf -v number %d "'$byte"
        printf -v byte '%%%02X' "$((number & 255))"
        ;;
    esac
    __termprog_address+=$byte
  done
}

# Before what else is done for a prompt: the status of the command, which others still find in $?.
__termprog_before() {
  local status=$?
  [[ ${__termprog_ran:-0} == 0 ]] || printf '\e]133;D;%s\a' "$status"
  __termprog_ran=0
  return "$status"
}

# After it: the directory, and the marks of the prompt where it does not have them.
__termprog_after() {
  local status=$?
  if [[ $PWD != "$__termprog_directory" ]]; then
    __termprog_directory=$PWD
    __termprog_encode "$PWD"
  fi
  printf '\e]7;file://%s%s\a' "${HOSTNAME-}" "$__termprog_address"
  # After a resize readline draws only the last line of a prompt again, and what is typed behind it.
  [[ ${PS1-} == *'133;A'* ]] || PS1='\[\e]133;A;redraw=last\a\]'${PS1-}'\[\e]133;B\a\]'
  [[ ${PS2-} == *'133;A'* ]] || PS2='\[\e]133;A;k=s;redraw=last\a\]'${PS2-}
  return "$status"
}

# PROMPT_COMMAND may come from the environment.
case "${PROMPT_COMMAND[*]-}" in
  *__termprog_before*) ;;
  *)
    if [[ $(declare -p PROMPT_COMMAND 2>/dev/null) == 'declare -a'* ]]; then
      PROMPT_COMMAND=(__termprog_before "${PROMPT_COMMAND[@]}" __termprog_after)
    else
      PROMPT_COMMAND="__termprog_before
${PROMPT_COMMAND-}
__termprog_after"
    fi
    ;;
esac

# The last part is empty, and notes that a command runs.
if [[ ${BASH_VERSINFO[0]} -gt 4 || (${BASH_VERSINFO[0]} -eq 4 && ${BASH_VERSINFO[1]} -ge 4) ]]; then
  [[ ${PS0-} == *'133;C'* ]] || PS0=${PS0-}'\e]133;C\a${__termprog_ran:$((__termprog_ran=1,0)):0}'
fi
