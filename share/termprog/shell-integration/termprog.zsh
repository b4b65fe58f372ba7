# Tells the terminal where prompts, commands and their output begin and end (OSC 133), and the present directory (OSC 7).
# Source it at the end of ~/.zshrc.

[[ -o interactive && -n ${TERM-} ]] || return 0
case $TERM in
  # They would show what they do not understand.
  dumb | unknown | linux* | vt[0-9]* | eterm* | cons*) return 0 ;;
esac

# Whether a command ran since the last prompt.
typeset -g __termprog_ran=0 __termprog_mark=

# Before what else is done for a prompt: the status of the command.
__termprog_before() {
  local code=$?
  if [[ $__termprog_ran == 1 ]]; then
    # Otherwise it was told with the mark.
    [[ -o prompt_sp && -o prompt_cr ]] || builtin print -rn -- $'\e]133;D;'$code$'\a'
    if [[ -n $__termprog_mark ]]; then PROMPT_EOL_MARK=${__termprog_mark#:}; else unset PROMPT_EOL_MARK; fi
  fi
  __termprog_ran=0
  return $code
}

# After it: the directory, and the marks of the prompt where it does not have them.
__termprog_after() {
  local code=$? percent=0
  [[ ! -o prompt_percent ]] || percent=1
  builtin emulate -L zsh -o extended_glob -o no_multibyte
  local MATCH MBEGIN MEND LC_ALL=C
  # As an address has it: each byte but those of plain names as % and two digits.
  local directory=${PWD//(#m)[^A-Za-z0-9\/._~-]/%${(l:2::0:)$(([##16] #MATCH & 255))}}
  builtin print -rn -- $'\e]7;file://'$HOST$directory$'\a'
  # Without %{ and %} the editor would count the marks as characters.
  if (( ! percent )); then
    builtin print -rn -- $'\e]133;A\a'
  else
    # After a resize the editor draws the whole prompt again.
    [[ $PS1 == *'133;A'* ]] || PS1=$'%{\e]133;A;redraw=1\a%}'$PS1$'%{\e]133;B\a%}'
    [[ $PS2 == *'133;A'* ]] || PS2=$'%{\e]133;A;k=s;redraw=1\a%}'$PS2
  fi
  return $code
}

# The mark that zsh sets behind output without a newline, with : before it, is kept; the output ends before it.
__termprog_started() {
  builtin print -rn -- $'\e]133;C\a'
  __termprog_ran=1
  __termprog_mark=${PROMPT_EOL_MARK+:$PROMPT_EOL_MARK}
  PROMPT_EOL_MARK=$'%{\e]133;D;%?\a%}'${PROMPT_EOL_MARK-%B%S%#%s%b}
}

() {
  builtin emulate -L zsh
  typeset -ga precmd_functions preexec_functions
  (( ${precmd_functions[(I)__termprog_before]} )) ||
    precmd_functions=(__termprog_before "${precmd_functions[@]}" __termprog_after)
  (( ${preexec_functions[(I)__termprog_started]} )) || preexec_functions+=(__termprog_started)
}
