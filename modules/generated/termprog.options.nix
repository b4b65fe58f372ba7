# Written by `npm run generate`. Changes made here are lost.
{ lib }:
let
  inherit (lib) mkOption types;

  # What Nix says that it expected, in place of a pattern or of a type's name.
  explained = type: description: type // { inherit description; };
in
{
  options = {
    vt100 = {
      font = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Bitmap font of the Default entry of the VT Fonts menu. It is used when `renderFont` is false. The program's default is `fixed`.";
      };
      font1 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Bitmap font of the Unreadable entry of the VT Fonts menu. Shift with keypad plus and minus steps through the entries by size. The program's default is `nil2`.";
      };
      font2 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Bitmap font of the Tiny entry of the VT Fonts menu. Shift with keypad plus and minus steps through the entries by size. The program's default is `5x7`.";
      };
      font3 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Bitmap font of the Small entry of the VT Fonts menu. Shift with keypad plus and minus steps through the entries by size. The program's default is `6x10`.";
      };
      font4 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Bitmap font of the Medium entry of the VT Fonts menu. Shift with keypad plus and minus steps through the entries by size. The program's default is `7x13`.";
      };
      font5 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Bitmap font of the Large entry of the VT Fonts menu. Shift with keypad plus and minus steps through the entries by size. The program's default is `9x15`.";
      };
      font6 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Bitmap font of the Huge entry of the VT Fonts menu. Shift with keypad plus and minus steps through the entries by size. The program's default is `10x20`.";
      };
      font7 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Bitmap font of the Enormous entry of the VT Fonts menu. Shift with keypad plus and minus steps through the entries by size. The program's default is `12x24`.";
      };
      renderFont = mkOption {
        type = types.nullOr (types.either types.bool (types.enum [ "true" "false" "default" ]));
        default = null;
        description = "Which renderer draws text: `true` the outline fonts, `false` the bitmap fonts, `default` the outline fonts when `faceName` is set. The TrueType Fonts menu entry switches it. The program's default is `default`.";
      };
      boldFont = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Explicit chain of bold fonts; an entry that starts with `xft:` names an outline pattern. Without it bold is derived from the primary font. The program has no default of its own.";
      };
      wideBoldFont = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "The same as `boldFont`, for wide text. The program has no default of its own.";
      };
      faceName = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Primary outline face. It may hold two entries separated by a comma, the second being the first fallback. A `size=` field in the first entry wins over `faceSize`. The program has no default of its own.";
      };
      faceSize = mkOption {
        type = types.nullOr (types.numbers.between 0.5 1000);
        default = null;
        description = "Point size of the Default entry under the outline renderer, resolved against the resolution of the screen. The program's default is `8.0`.";
      };
      faceSize1 = mkOption {
        type = types.nullOr (types.numbers.between 0 1000);
        default = null;
        description = "Point size of entry 1 of the VT Fonts menu under the outline renderer. 0 derives it from the bitmap font `font1`. The program's default is `0.0`.";
      };
      faceSize2 = mkOption {
        type = types.nullOr (types.numbers.between 0 1000);
        default = null;
        description = "Point size of entry 2 of the VT Fonts menu under the outline renderer. 0 derives it from the bitmap font `font2`. The program's default is `0.0`.";
      };
      faceSize3 = mkOption {
        type = types.nullOr (types.numbers.between 0 1000);
        default = null;
        description = "Point size of entry 3 of the VT Fonts menu under the outline renderer. 0 derives it from the bitmap font `font3`. The program's default is `0.0`.";
      };
      faceSize4 = mkOption {
        type = types.nullOr (types.numbers.between 0 1000);
        default = null;
        description = "Point size of entry 4 of the VT Fonts menu under the outline renderer. 0 derives it from the bitmap font `font4`. The program's default is `0.0`.";
      };
      faceSize5 = mkOption {
        type = types.nullOr (types.numbers.between 0 1000);
        default = null;
        description = "Point size of entry 5 of the VT Fonts menu under the outline renderer. 0 derives it from the bitmap font `font5`. The program's default is `0.0`.";
      };
      faceSize6 = mkOption {
        type = types.nullOr (types.numbers.between 0 1000);
        default = null;
        description = "Point size of entry 6 of the VT Fonts menu under the outline renderer. 0 derives it from the bitmap font `font6`. The program's default is `0.0`.";
      };
      faceSize7 = mkOption {
        type = types.nullOr (types.numbers.between 0 1000);
        default = null;
        description = "Point size of entry 7 of the VT Fonts menu under the outline renderer. 0 derives it from the bitmap font `font7`. The program's default is `0.0`.";
      };
      faceNameDoublesize = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Face tried first for wide text, and second for emoji when `faceNameEmoji` has no glyph. The program has no default of its own.";
      };
      faceNameEmoji = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Face tried first for clusters with emoji presentation. The program has no default of its own.";
      };
      faceNameEmojiText = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Monochrome face for emoji in text presentation, tried after the ordinary faces and the numbered fallbacks and before unnamed system candidates. It never serves ordinary text, CJK or colour emoji. The program has no default of its own.";
      };
      faceNameHan = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Face tried first for characters in text presentation whose script is Han. The program has no default of its own.";
      };
      fallbackFace1 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Fallback face 1 of 16. They are asked in order, after the faces with a role of their own and before system candidates. The program has no default of its own.";
      };
      fallbackFace2 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Fallback face 2 of 16. They are asked in order, after the faces with a role of their own and before system candidates. The program has no default of its own.";
      };
      fallbackFace3 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Fallback face 3 of 16. They are asked in order, after the faces with a role of their own and before system candidates. The program has no default of its own.";
      };
      fallbackFace4 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Fallback face 4 of 16. They are asked in order, after the faces with a role of their own and before system candidates. The program has no default of its own.";
      };
      fallbackFace5 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Fallback face 5 of 16. They are asked in order, after the faces with a role of their own and before system candidates. The program has no default of its own.";
      };
      fallbackFace6 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Fallback face 6 of 16. They are asked in order, after the faces with a role of their own and before system candidates. The program has no default of its own.";
      };
      fallbackFace7 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Fallback face 7 of 16. They are asked in order, after the faces with a role of their own and before system candidates. The program has no default of its own.";
      };
      fallbackFace8 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Fallback face 8 of 16. They are asked in order, after the faces with a role of their own and before system candidates. The program has no default of its own.";
      };
      fallbackFace9 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Fallback face 9 of 16. They are asked in order, after the faces with a role of their own and before system candidates. The program has no default of its own.";
      };
      fallbackFace10 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Fallback face 10 of 16. They are asked in order, after the faces with a role of their own and before system candidates. The program has no default of its own.";
      };
      fallbackFace11 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Fallback face 11 of 16. They are asked in order, after the faces with a role of their own and before system candidates. The program has no default of its own.";
      };
      fallbackFace12 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Fallback face 12 of 16. They are asked in order, after the faces with a role of their own and before system candidates. The program has no default of its own.";
      };
      fallbackFace13 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Fallback face 13 of 16. They are asked in order, after the faces with a role of their own and before system candidates. The program has no default of its own.";
      };
      fallbackFace14 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Fallback face 14 of 16. They are asked in order, after the faces with a role of their own and before system candidates. The program has no default of its own.";
      };
      fallbackFace15 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Fallback face 15 of 16. They are asked in order, after the faces with a role of their own and before system candidates. The program has no default of its own.";
      };
      fallbackFace16 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Fallback face 16 of 16. They are asked in order, after the faces with a role of their own and before system candidates. The program has no default of its own.";
      };
      systemFallback = mkOption {
        type = types.nullOr types.bool;
        default = null;
        description = "Whether system faces that are not named may serve after the named ones. When false, a cluster that no named face can draw is shown as a placeholder box. The program's default is `true`.";
      };
      fitEmojiText = mkOption {
        type = types.nullOr types.bool;
        default = null;
        description = "Whether a monochrome emoji face may be shrunk evenly, never enlarged, to fit its cells. When false such a face is refused. The program's default is `true`.";
      };
      limitFontsets = mkOption {
        type = types.nullOr types.ints.unsigned;
        default = null;
        description = "How many fallback faces may be opened for one font entry and style. 0 turns fallback off. The program's default is `50`.";
      };
      limitFontHeight = mkOption {
        type = types.nullOr (types.ints.between 0 100);
        default = null;
        description = "Percent of tolerance for recognising a face of double height. It has no effect. The program's default is `10`. Double-height rendering is not part of this terminal. Accepted, without effect in this version.";
      };
      limitFontWidth = mkOption {
        type = types.nullOr (types.ints.between 0 100);
        default = null;
        description = "By how many percent a fallback glyph may be wider than its cell before the face is rejected for that cluster. The program's default is `10`.";
      };
      emojiPresentation = mkOption {
        type = types.nullOr (types.enum [ "unicode" "text" "emoji" ]);
        default = null;
        description = "Presentation of emoji: `unicode` follows the default of each character, `text` and `emoji` force one. The variation selectors 15 and 16 always win. The program's default is `unicode`.";
      };
      colorGlyphs = mkOption {
        type = types.nullOr types.bool;
        default = null;
        description = "Whether colour glyphs may be drawn. When false, a face serves only where it has a real outline. The program's default is `true`.";
      };
      graphemeWidth = mkOption {
        type = types.nullOr (types.enum [ "legacy" "unicode" ]);
        default = null;
        description = "State of DEC private mode 2027 at the start. Applications may set and reset the mode afterwards. The program's default is `legacy`.";
      };
      reportFontRouting = mkOption {
        type = types.nullOr types.bool;
        default = null;
        description = "Collects a bounded record of how clusters were routed to faces, for the `report-font-routing()` action. The program's default is `false`.";
      };
      forceBoxChars = mkOption {
        type = types.nullOr types.bool;
        default = null;
        description = "Draws box, block, Braille, scan line, triangle, legacy-computing and Powerline symbols from the geometry of the cell. When false, outline faces draw those they have; the bitmap renderer always draws them itself. Note that `+fbx` sets it and `-fbx` clears it. The Procedural Glyphs menu entry and `set-font-linedrawing()` change it. The program's default is `false`.";
      };
      foreground = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Default colour of text. The program's default is `XtDefaultForeground`.";
      };
      color0 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Palette entry 0, one of the normal ANSI colours. OSC 4 changes it at run time and OSC 104 restores the configured value. The program's default is `black`.";
      };
      color1 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Palette entry 1, one of the normal ANSI colours. OSC 4 changes it at run time and OSC 104 restores the configured value. The program's default is `red3`.";
      };
      color2 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Palette entry 2, one of the normal ANSI colours. OSC 4 changes it at run time and OSC 104 restores the configured value. The program's default is `green3`.";
      };
      color3 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Palette entry 3, one of the normal ANSI colours. OSC 4 changes it at run time and OSC 104 restores the configured value. The program's default is `yellow3`.";
      };
      color4 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Palette entry 4, one of the normal ANSI colours. OSC 4 changes it at run time and OSC 104 restores the configured value. The program's default is `blue2`.";
      };
      color5 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Palette entry 5, one of the normal ANSI colours. OSC 4 changes it at run time and OSC 104 restores the configured value. The program's default is `magenta3`.";
      };
      color6 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Palette entry 6, one of the normal ANSI colours. OSC 4 changes it at run time and OSC 104 restores the configured value. The program's default is `cyan3`.";
      };
      color7 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Palette entry 7, one of the normal ANSI colours. OSC 4 changes it at run time and OSC 104 restores the configured value. The program's default is `gray90`.";
      };
      color8 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Palette entry 8, one of the bright ANSI colours. OSC 4 changes it at run time and OSC 104 restores the configured value. The program's default is `gray50`.";
      };
      color9 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Palette entry 9, one of the bright ANSI colours. OSC 4 changes it at run time and OSC 104 restores the configured value. The program's default is `red`.";
      };
      color10 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Palette entry 10, one of the bright ANSI colours. OSC 4 changes it at run time and OSC 104 restores the configured value. The program's default is `green`.";
      };
      color11 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Palette entry 11, one of the bright ANSI colours. OSC 4 changes it at run time and OSC 104 restores the configured value. The program's default is `yellow`.";
      };
      color12 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Palette entry 12, one of the bright ANSI colours. OSC 4 changes it at run time and OSC 104 restores the configured value. The program's default is `rgb:5c/5c/ff`.";
      };
      color13 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Palette entry 13, one of the bright ANSI colours. OSC 4 changes it at run time and OSC 104 restores the configured value. The program's default is `magenta`.";
      };
      color14 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Palette entry 14, one of the bright ANSI colours. OSC 4 changes it at run time and OSC 104 restores the configured value. The program's default is `cyan`.";
      };
      color15 = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Palette entry 15, one of the bright ANSI colours. OSC 4 changes it at run time and OSC 104 restores the configured value. The program's default is `white`.";
      };
      boldColors = mkOption {
        type = types.nullOr types.bool;
        default = null;
        description = "Whether bold text in colours 0 to 7 is drawn in the bright colours 8 to 15. When false, bold changes the weight only. The program's default is `true`.";
      };
      backgroundOpacity = mkOption {
        type = types.nullOr (types.either (types.enum [ "disabled" ]) (types.numbers.between 0 1));
        default = null;
        description = "Opacity of the default background, from 0.0 (transparent) to 1.0. It needs a compositor and a visual with an alpha channel, else the window starts opaque; `disabled` asks for neither. Text, explicit cell backgrounds, the cursor and menus stay opaque. The Opacity slider changes it at run time. The program's default is `1.0`.";
      };
      reverseVideo = mkOption {
        type = types.nullOr types.bool;
        default = null;
        description = "Swaps the default foreground and background. Screen reverse mode and the reverse attribute of cells work independently of it. The program's default is `false`.";
      };
      cursorColor = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Colour of the cursor. A block cursor is filled in the window with the focus and an outline in others. The program's default is `XtDefaultForeground`.";
      };
      alwaysHighlight = mkOption {
        type = types.nullOr types.bool;
        default = null;
        description = "Whether the block cursor is filled also without the focus. The program's default is `false`.";
      };
      cursorBlink = mkOption {
        type = types.nullOr (types.either types.bool (types.enum [ "false" "true" "always" "never" ]));
        default = null;
        description = "Whether the cursor blinks. `false` and `true` combine with the application's request under `cursorBlinkXOR`; `always` and `never` ignore the application. A reset restores it. The program's default is `false`.";
      };
      cursorBlinkXOR = mkOption {
        type = types.nullOr types.bool;
        default = null;
        description = "How `cursorBlink` and the application's request combine: by exclusive or when true, by inclusive or when false. The program's default is `true`.";
      };
      cursorUnderLine = mkOption {
        type = types.nullOr types.bool;
        default = null;
        description = "Starts with an underline as cursor and wins over `cursorBar`. DECSCUSR 0, DECSCUSR without a parameter and a full reset return to it. The program's default is `false`.";
      };
      cursorBar = mkOption {
        type = types.nullOr types.bool;
        default = null;
        description = "Starts with a vertical bar as cursor, unless `cursorUnderLine` is true. The program's default is `false`.";
      };
      cursorOnTime = mkOption {
        type = types.nullOr (types.ints.between 1 2147483647);
        default = null;
        description = "How many milliseconds a blinking cursor is visible. The program's default is `600`.";
      };
      cursorOffTime = mkOption {
        type = types.nullOr (types.ints.between 1 2147483647);
        default = null;
        description = "How many milliseconds a blinking cursor is hidden. The program's default is `300`.";
      };
      saveLines = mkOption {
        type = types.nullOr types.ints.unsigned;
        default = null;
        description = "How many lines that left the top of the screen are kept. 0 turns the history off. The program's default is `1024`.";
      };
      scrollBar = mkOption {
        type = types.nullOr types.bool;
        default = null;
        description = "Shows the scrollbar, a child widget named `scrollbar` that has resources of its own. The program's default is `false`.";
      };
      rightScrollBar = mkOption {
        type = types.nullOr types.bool;
        default = null;
        description = "Puts the scrollbar on the right side. The program's default is `false`.";
      };
      scrollBarBorder = mkOption {
        type = types.nullOr types.ints.unsigned;
        default = null;
        description = "Width of the border of the scrollbar in pixels. The program's default is `1`.";
      };
      scrollTtyOutput = mkOption {
        type = types.nullOr types.bool;
        default = null;
        description = "Returns to the live screen when there is output. When false, the view keeps its distance from the bottom. Note that `-si` clears it and `+si` sets it. The program's default is `true`.";
      };
      alternateScroll = mkOption {
        type = types.nullOr types.bool;
        default = null;
        description = "The wheel, and anything else bound to `scroll-back` and `scroll-forw`, sends cursor keys while the alternate screen shows, one a line, unless the application receives mouse reports: so it moves through text in less, man and git log. Applications change it by mode 1007. The reference terminal has the same resource, false at the start. The program's default is `true`.";
      };
      scrollKey = mkOption {
        type = types.nullOr types.bool;
        default = null;
        description = "Returns to the live screen when a key is pressed. The program's default is `false`.";
      };
      multiClickTime = mkOption {
        type = types.nullOr types.ints.unsigned;
        default = null;
        description = "How many milliseconds may lie between the clicks of a multiple click. The program's default is `250`.";
      };
      charClass = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Classes of characters for selection by word, written `low[-high]:class` and separated by commas. Letters, digits and underscore share class 48 by default; each punctuation character is a class of its own. The program has no default of its own.";
      };
      selectToClipboard = mkOption {
        type = types.nullOr types.bool;
        default = null;
        description = "Whether the symbolic name SELECT means CLIPBOARD, and not PRIMARY, for copy and paste. The program's default is `false`.";
      };
      copyFlashDuration = mkOption {
        type = types.nullOr types.ints.unsigned;
        default = null;
        description = "How many milliseconds text flashes after it was copied; 0 turns the flash off. A new, lost or replaced selection and what an application writes by OSC 52 never flash. The program's default is `0`.";
      };
      copyFlashColor = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Background of copied cells during the flash. Empty shows them in their unselected colours. The program's default is empty.";
      };
      allowWindowOps = mkOption {
        type = types.nullOr types.bool;
        default = null;
        description = "Permits window operations that `disallowedWindowOps` refuses, as long as `allowSendEvents` is false. It is asked for OSC 52 selection access, title reports, the title stack and the size reports CSI 14, 16 and 18 t. The Allow Window Ops menu entry changes it and is insensitive while `allowSendEvents` is true. The program's default is `false`.";
      };
      disallowedWindowOps = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Window operations refused unless `allowWindowOps` is true and `allowSendEvents` is false. Names are separated by commas and compared without regard to case; `*` and `?` are wildcards and a leading `~` allows what it matches again. Known names are GetSelection, SetSelection, GetIconTitle, GetWinTitle, PushTitle, PopTitle, GetWinSizePixels, GetWinSizeChars and GetScreenSizeChars (which gates CSI 16 t); the codes 14, 18, 19 and 20 to 23 stand for names as well. The program's default is `GetIconTitle,GetWinTitle,GetChecksum,SetSelection,GetSelection,SetXprop`.";
      };
      maxStringParse = mkOption {
        type = types.nullOr types.ints.unsigned;
        default = null;
        description = "Largest control string in bytes. It is enforced for selections written by OSC 52, where the base64 payload is measured. The program's default is `600000`.";
      };
      allowTitleOps = mkOption {
        type = types.nullOr types.bool;
        default = null;
        description = "Whether applications may change the title, and restore it by a pop of the title stack. While `allowSendEvents` is true no label changes, with either value here. The program's default is `true`.";
      };
      utf8Title = mkOption {
        type = types.nullOr (types.either types.bool (types.enum [ "true" "false" "always" "default" ]));
        default = null;
        description = "Whether `_NET_WM_NAME` and `_NET_WM_ICON_NAME` are written beside the older properties; `default` means true in a UTF-8 locale. `set-utf8-title()` and the UTF-8 Titles menu entry change it. The program's default is `default`.";
      };
      allowColorOps = mkOption {
        type = types.nullOr types.bool;
        default = null;
        description = "Permits OSC 10 to 19 set and query, OSC 110 to 119 reset, and OSC 4 and 5 queries, as long as `allowSendEvents` is false. Otherwise `disallowedColorOps` decides. The program's default is `true`.";
      };
      allowSendEvents = mkOption {
        type = types.nullOr types.bool;
        default = null;
        description = "When true, title operations are blocked and the blanket permissions for colours and window operations do not count; the lists of refused operations alone decide. Synthetic key and button events are accepted either way. It is read at the start only. The program's default is `false`.";
      };
      disallowedColorOps = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Colour operations refused unless `allowColorOps` is true and `allowSendEvents` is false: SetColor (OSC 10 to 19 set, 110 to 119 reset), GetColor (OSC 10 to 19 query), GetAnsiColor (OSC 4 and 5 query). Names are separated by commas and compared without regard to case; `*` and `?` are wildcards and a leading `~` allows what it matches again. Ordinary palette writes by OSC 4 are never refused. The program's default is `SetColor,GetColor,GetAnsiColor`.";
      };
      allowMouseOps = mkOption {
        type = types.nullOr types.bool;
        default = null;
        description = "Permits mouse and focus reports to applications. When false, local selection works again and the requested modes are kept. The locator of DEC terminals is not implemented. The program's default is `true`.";
      };
      allowTcapOps = mkOption {
        type = types.nullOr types.bool;
        default = null;
        description = "Permits terminal-capability operations, also those that `disallowedTcapOps` names; XTGETTCAP replies are the only ones. The program's default is `true`.";
      };
      disallowedTcapOps = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Terminal-capability operations refused while `allowTcapOps` is false: GetTcap gates XTGETTCAP replies, SetTcap is reserved. Names are separated by commas and compared without regard to case; `*` and `?` are wildcards and a leading `~` allows what it matches again. The program's default is `SetTcap,GetTcap`.";
      };
      allowNotifyOps = mkOption {
        type = types.nullOr types.bool;
        default = null;
        description = "Permits applications to show a notification on the desktop by OSC 9 and OSC 777. The reference terminal has no such resource. The program's default is `false`.";
      };
      allowFontOps = mkOption {
        type = types.nullOr types.bool;
        default = null;
        description = "Reserved for font changes by OSC 50. It has no effect. The program's default is `true`. Font changes by OSC 50 are not part of this terminal. Accepted, without effect in this version.";
      };
      disallowedFontOps = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Reserved restrictions of OSC 50. It has no effect. The program's default is `SetFont,GetFont`. Font changes by OSC 50 are not part of this terminal. Accepted, without effect in this version.";
      };
      internalBorder = mkOption {
        type = types.nullOr types.ints.unsigned;
        default = null;
        description = "Padding between the text and the edge of the window in pixels. The program's default is `2`.";
      };
      columns = mkOption {
        type = types.nullOr types.ints.positive;
        default = null;
        description = "Columns at the start when no geometry is given. The program's default is `80`.";
      };
      rows = mkOption {
        type = types.nullOr types.ints.positive;
        default = null;
        description = "Rows at the start when no geometry is given. The program's default is `24`.";
      };
      geometry = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Size and place as `WIDTHxHEIGHT+X+Y`. The size, in cells, replaces `columns` and `rows`, and a size of zero becomes one; negative offsets count from the right and the bottom. When it is unset, the geometry of the application is read the same way. The program has no default of its own.";
      };
      resizeByPixel = mkOption {
        type = types.nullOr types.bool;
        default = null;
        description = "Asks window managers to size the window by pixels instead of whole characters. The window has as many columns and rows as fit, and the rest beside and below them is painted in the background. The program's default is `false`.";
      };
      loginShell = mkOption {
        type = types.nullOr types.bool;
        default = null;
        description = "Starts the shell as a login shell, its name with a leading dash as argument zero. A command given by `-e` is not affected. The shell is `$SHELL` if that is the absolute path of an executable file, else the shell of the password file if the shells file lists it, else `/bin/sh`. The program's default is `false`.";
      };
      answerbackString = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Text that is sent unchanged on ENQ (0x05). An empty text sends no answer. The program's default is empty.";
      };
      bellIsUrgent = mkOption {
        type = types.nullOr types.bool;
        default = null;
        description = "Asks window managers for attention when the bell rings in a window without the focus, by the hint of urgency and the state of newer desktops, until the window gets the focus. Applications change it by mode 1042. The program's default is `false`.";
      };
      notifyCommandTime = mkOption {
        type = types.nullOr (types.ints.between 0 86400);
        default = null;
        description = "Seconds after which the end of a command is shown on the desktop by `notify-send`, when the window has not the focus then. The shell must mark its commands (OSC 133), as the shell integration does. 0 shows none. The reference terminal has no such resource. The program's default is `0`.";
      };
      translations = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Key and button bindings of the terminal widget, one a line as `MODIFIERS <EVENT> DETAIL: ACTION()`, in the language of the X Toolkit: `Ctrl <Key>F1: scroll-back(1,page)`, or `<Key>F1:` for a key without an action. A first line `#override` puts them before the built-in ones and `#augment` behind them; otherwise they replace them. The program has no default of its own.";
      };
    };
    app = {
      termName = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Value of `TERM` for the child and of the XTGETTCAP reply to `TN`. A name over 128 bytes still sets `TERM` and leaves `TN` unanswered. The program's default is `xterm-256color`.";
      };
      sameName = mkOption {
        type = types.nullOr types.bool;
        default = null;
        description = "Skips a change of the title or the icon name that repeats the last one requested. The comparison is with the last request and not with the live property. The program's default is `true`.";
      };
      hold = mkOption {
        type = types.nullOr types.bool;
        default = null;
        description = "Keeps the window after the child has ended until the user closes it. Later input is discarded and the exit status stays 0. The program's default is `false`.";
      };
      pipeCommandOutput = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Shell command that `pipe-command-output()` runs in the last reported directory, with the output of the last completed command on its standard input. The output is data and is never executed. The program's default is empty.";
      };
      menuLocale = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Locale under which the popup menus are created, such as `de_DE.UTF-8`: their labels come from the class defaults of its language, in its character set. The program's default is `C`.";
      };
      logLevel = mkOption {
        type = types.nullOr (types.enum [ "debug" "info" "warning" "error" ]);
        default = null;
        description = "Least severe messages that are written to standard error. `info` adds how the start went: sources of resources, server, window, fonts and process; `debug` also each resource that is set, with its source. What is typed and shown is never written. The program's default is `warning`.";
      };
      debug = mkOption {
        type = types.nullOr types.bool;
        default = null;
        description = "Another way to say `logLevel: debug`. It counts when `logLevel` is unset. The program's default is `false`.";
      };
      reportConfig = mkOption {
        type = types.nullOr types.bool;
        default = null;
        description = "Prints the resolved configuration and ends the program; no window is opened. The program's default is `false`.";
      };
      background = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Default background, and the trough of the scrollbar. The program's default is `XtDefaultBackground`.";
      };
      title = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Title of the window, the program's name when unset. Applications change it by OSC 0 and OSC 2. The program has no default of its own.";
      };
      iconName = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Name of the icon, the program's name when unset. The program has no default of its own.";
      };
      iconGeometry = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Preferred place of the icon. The program has no default of its own.";
      };
      iconic = mkOption {
        type = types.nullOr types.bool;
        default = null;
        description = "Starts the window iconified. The program's default is `false`.";
      };
      borderColor = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Colour of the border of the window. The program's default is `XtDefaultForeground`.";
      };
      borderWidth = mkOption {
        type = types.nullOr types.ints.unsigned;
        default = null;
        description = "Width of the border of the window in pixels. The program's default is `0`.";
      };
      selectionTimeout = mkOption {
        type = types.nullOr types.ints.positive;
        default = null;
        description = "How many milliseconds the owner of a selection has for an answer when its text is asked for. The program's default is `5000`.";
      };
      synchronous = mkOption {
        type = types.nullOr types.bool;
        default = null;
        description = "Sends each request to the X server alone, and waits until the server has handled it. It finds the request that an error of the server belongs to, and is slow. The program's default is `false`.";
      };
      xnlLanguage = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Name of a locale, such as `de_DE.UTF-8`, in place of the one that LC_ALL, LC_CTYPE or LANG gives: files of class defaults are looked for in its language, and `utf8Title` follows its encoding. The program has no default of its own.";
      };
    };
  };

  # Options without a default, each with the option that has to be given first for it to be needed.
  required = [ ];

  # Options that name a file with a secret.
  secretFiles = [ ];

  # Options that a reload applies. A change of any other one needs a restart.
  softOptions = [ ];

  # Options without effect in this version, each with the default at which it stands unless somebody sets it.
  withoutEffect = [
    { path = [ "vt100" "limitFontHeight" ]; default = null; }
    { path = [ "vt100" "allowFontOps" ]; default = null; }
    { path = [ "vt100" "disallowedFontOps" ]; default = null; }
  ];
}
