# Tells the terminal where prompts, commands and their output begin and end (OSC 133), and the present directory (OSC 7).
# Source it in ~/.config/fish/config.fish. From version 4 on fish does it without help.

if status is-interactive
    and test -n "$TERM"
    and not string match -qr '^(dumb|unknown|linux.*|vt[0-9].*|eterm.*|cons.*)$' -- $TERM
    and string match -qr '^[123]\.' -- $version
    and not functions -q __termprog_prompt

    function __termprog_prompt --on-event fish_prompt
        printf '\e]7;file://%s%s\a\e]133;A;redraw=1\a' $hostname (string escape --style=url -- $PWD | string collect)
    end

    function __termprog_started --on-event fish_preexec
        printf '\e]133;C\a'
    end

    function __termprog_ended --on-event fish_postexec
        printf '\e]133;D;%s\a' $status
    end

    # The end of the prompt. Before its original nothing may run: it may look at the status of the command.
    functions -q fish_prompt
    and functions -c fish_prompt __termprog_original_prompt
    and function fish_prompt
        __termprog_original_prompt
        printf '\e]133;B\a'
    end
end
