/**
 * Names that the X library knows in addition to those of keysymdef.h, as `name:hexadecimal`: keys of XFree86, Sun,
 * Digital, HP and OSF keyboards, and combining marks. Sources: the headers XF86keysym.h, Sunkeysym.h, DECkeysym.h and
 * HPkeysym.h of x11proto.
 */
const NAMES = `
XF86ModeLock:1008ff01 XF86MonBrightnessUp:1008ff02 XF86MonBrightnessDown:1008ff03 XF86KbdLightOnOff:1008ff04
XF86KbdBrightnessUp:1008ff05 XF86KbdBrightnessDown:1008ff06 XF86MonBrightnessCycle:1008ff07 XF86Standby:1008ff10
XF86AudioLowerVolume:1008ff11 XF86AudioMute:1008ff12 XF86AudioRaiseVolume:1008ff13 XF86AudioPlay:1008ff14
XF86AudioStop:1008ff15 XF86AudioPrev:1008ff16 XF86AudioNext:1008ff17 XF86HomePage:1008ff18 XF86Mail:1008ff19
XF86Start:1008ff1a XF86Search:1008ff1b XF86AudioRecord:1008ff1c XF86Calculator:1008ff1d XF86Memo:1008ff1e
XF86ToDoList:1008ff1f XF86Calendar:1008ff20 XF86PowerDown:1008ff21 XF86ContrastAdjust:1008ff22
XF86RockerUp:1008ff23 XF86RockerDown:1008ff24 XF86RockerEnter:1008ff25 XF86Back:1008ff26 XF86Forward:1008ff27
XF86Stop:1008ff28 XF86Refresh:1008ff29 XF86PowerOff:1008ff2a XF86WakeUp:1008ff2b XF86Eject:1008ff2c
XF86ScreenSaver:1008ff2d XF86WWW:1008ff2e XF86Sleep:1008ff2f XF86Favorites:1008ff30 XF86AudioPause:1008ff31
XF86AudioMedia:1008ff32 XF86MyComputer:1008ff33 XF86VendorHome:1008ff34 XF86LightBulb:1008ff35 XF86Shop:1008ff36
XF86History:1008ff37 XF86OpenURL:1008ff38 XF86AddFavorite:1008ff39 XF86HotLinks:1008ff3a
XF86BrightnessAdjust:1008ff3b XF86Finance:1008ff3c XF86Community:1008ff3d XF86AudioRewind:1008ff3e
XF86BackForward:1008ff3f XF86Launch0:1008ff40 XF86Launch1:1008ff41 XF86Launch2:1008ff42 XF86Launch3:1008ff43
XF86Launch4:1008ff44 XF86Launch5:1008ff45 XF86Launch6:1008ff46 XF86Launch7:1008ff47 XF86Launch8:1008ff48
XF86Launch9:1008ff49 XF86LaunchA:1008ff4a XF86LaunchB:1008ff4b XF86LaunchC:1008ff4c XF86LaunchD:1008ff4d
XF86LaunchE:1008ff4e XF86LaunchF:1008ff4f XF86ApplicationLeft:1008ff50 XF86ApplicationRight:1008ff51
XF86Book:1008ff52 XF86CD:1008ff53 XF86Calculater:1008ff54 XF86Clear:1008ff55 XF86Close:1008ff56
XF86Copy:1008ff57 XF86Cut:1008ff58 XF86Display:1008ff59 XF86DOS:1008ff5a XF86Documents:1008ff5b
XF86Excel:1008ff5c XF86Explorer:1008ff5d XF86Game:1008ff5e XF86Go:1008ff5f XF86iTouch:1008ff60
XF86LogOff:1008ff61 XF86Market:1008ff62 XF86Meeting:1008ff63 XF86MenuKB:1008ff65 XF86MenuPB:1008ff66
XF86MySites:1008ff67 XF86New:1008ff68 XF86News:1008ff69 XF86OfficeHome:1008ff6a XF86Open:1008ff6b
XF86Option:1008ff6c XF86Paste:1008ff6d XF86Phone:1008ff6e XF86Q:1008ff70 XF86Reply:1008ff72 XF86Reload:1008ff73
XF86RotateWindows:1008ff74 XF86RotationPB:1008ff75 XF86RotationKB:1008ff76 XF86Save:1008ff77
XF86ScrollUp:1008ff78 XF86ScrollDown:1008ff79 XF86ScrollClick:1008ff7a XF86Send:1008ff7b XF86Spell:1008ff7c
XF86SplitScreen:1008ff7d XF86Support:1008ff7e XF86TaskPane:1008ff7f XF86Terminal:1008ff80 XF86Tools:1008ff81
XF86Travel:1008ff82 XF86UserPB:1008ff84 XF86User1KB:1008ff85 XF86User2KB:1008ff86 XF86Video:1008ff87
XF86WheelButton:1008ff88 XF86Word:1008ff89 XF86Xfer:1008ff8a XF86ZoomIn:1008ff8b XF86ZoomOut:1008ff8c
XF86Away:1008ff8d XF86Messenger:1008ff8e XF86WebCam:1008ff8f XF86MailForward:1008ff90 XF86Pictures:1008ff91
XF86Music:1008ff92 XF86Battery:1008ff93 XF86Bluetooth:1008ff94 XF86WLAN:1008ff95 XF86UWB:1008ff96
XF86AudioForward:1008ff97 XF86AudioRepeat:1008ff98 XF86AudioRandomPlay:1008ff99 XF86Subtitle:1008ff9a
XF86AudioCycleTrack:1008ff9b XF86CycleAngle:1008ff9c XF86FrameBack:1008ff9d XF86FrameForward:1008ff9e
XF86Time:1008ff9f XF86Select:1008ffa0 XF86View:1008ffa1 XF86TopMenu:1008ffa2 XF86Red:1008ffa3 XF86Green:1008ffa4
XF86Yellow:1008ffa5 XF86Blue:1008ffa6 XF86Suspend:1008ffa7 XF86Hibernate:1008ffa8 XF86TouchpadToggle:1008ffa9
XF86TouchpadOn:1008ffb0 XF86TouchpadOff:1008ffb1 XF86AudioMicMute:1008ffb2 XF86Keyboard:1008ffb3
XF86WWAN:1008ffb4 XF86RFKill:1008ffb5 XF86AudioPreset:1008ffb6 XF86RotationLockToggle:1008ffb7
XF86FullScreen:1008ffb8 XF86Switch_VT_1:1008fe01 XF86Switch_VT_2:1008fe02 XF86Switch_VT_3:1008fe03
XF86Switch_VT_4:1008fe04 XF86Switch_VT_5:1008fe05 XF86Switch_VT_6:1008fe06 XF86Switch_VT_7:1008fe07
XF86Switch_VT_8:1008fe08 XF86Switch_VT_9:1008fe09 XF86Switch_VT_10:1008fe0a XF86Switch_VT_11:1008fe0b
XF86Switch_VT_12:1008fe0c XF86Ungrab:1008fe20 XF86ClearGrab:1008fe21 XF86Next_VMode:1008fe22
XF86Prev_VMode:1008fe23 XF86LogWindowTree:1008fe24 XF86LogGrabInfo:1008fe25 XF86BrightnessAuto:100810f4
XF86DisplayOff:100810f5 XF86Info:10081166 XF86AspectRatio:10081177 XF86DVD:10081185 XF86Audio:10081188
XF86ChannelUp:10081192 XF86ChannelDown:10081193 XF86Break:1008119b XF86VideoPhone:100811a0
XF86ZoomReset:100811a4 XF86Editor:100811a6 XF86GraphicsEditor:100811a8 XF86Presentation:100811a9
XF86Database:100811aa XF86Voicemail:100811ac XF86Addressbook:100811ad XF86DisplayToggle:100811af
XF86SpellCheck:100811b0 XF86ContextMenu:100811b6 XF86MediaRepeat:100811b7 XF8610ChannelsUp:100811b8
XF8610ChannelsDown:100811b9 XF86Images:100811ba XF86NotificationCenter:100811bc XF86PickupPhone:100811bd
XF86HangupPhone:100811be XF86Fn:100811d0 XF86Fn_Esc:100811d1 XF86FnRightShift:100811e5 XF86Numeric0:10081200
XF86Numeric1:10081201 XF86Numeric2:10081202 XF86Numeric3:10081203 XF86Numeric4:10081204 XF86Numeric5:10081205
XF86Numeric6:10081206 XF86Numeric7:10081207 XF86Numeric8:10081208 XF86Numeric9:10081209 XF86NumericStar:1008120a
XF86NumericPound:1008120b XF86NumericA:1008120c XF86NumericB:1008120d XF86NumericC:1008120e
XF86NumericD:1008120f XF86CameraFocus:10081210 XF86WPSButton:10081211 XF86CameraZoomIn:10081215
XF86CameraZoomOut:10081216 XF86CameraUp:10081217 XF86CameraDown:10081218 XF86CameraLeft:10081219
XF86CameraRight:1008121a XF86AttendantOn:1008121b XF86AttendantOff:1008121c XF86AttendantToggle:1008121d
XF86LightsToggle:1008121e XF86ALSToggle:10081230 XF86Buttonconfig:10081240 XF86Taskmanager:10081241
XF86Journal:10081242 XF86ControlPanel:10081243 XF86AppSelect:10081244 XF86Screensaver:10081245
XF86VoiceCommand:10081246 XF86Assistant:10081247 XF86EmojiPicker:10081249 XF86Dictate:1008124a
XF86BrightnessMin:10081250 XF86BrightnessMax:10081251 XF86KbdInputAssistPrev:10081260
XF86KbdInputAssistNext:10081261 XF86KbdInputAssistPrevgroup:10081262 XF86KbdInputAssistNextgroup:10081263
XF86KbdInputAssistAccept:10081264 XF86KbdInputAssistCancel:10081265 XF86RightUp:10081266 XF86RightDown:10081267
XF86LeftUp:10081268 XF86LeftDown:10081269 XF86RootMenu:1008126a XF86MediaTopMenu:1008126b XF86Numeric11:1008126c
XF86Numeric12:1008126d XF86AudioDesc:1008126e XF863DMode:1008126f XF86NextFavorite:10081270
XF86StopRecord:10081271 XF86PauseRecord:10081272 XF86VOD:10081273 XF86Unmute:10081274 XF86FastReverse:10081275
XF86SlowReverse:10081276 XF86Data:10081277 XF86OnScreenKeyboard:10081278 XF86PrivacyScreenToggle:10081279
XF86SelectiveScreenshot:1008127a XF86Macro1:10081290 XF86Macro2:10081291 XF86Macro3:10081292 XF86Macro4:10081293
XF86Macro5:10081294 XF86Macro6:10081295 XF86Macro7:10081296 XF86Macro8:10081297 XF86Macro9:10081298
XF86Macro10:10081299 XF86Macro11:1008129a XF86Macro12:1008129b XF86Macro13:1008129c XF86Macro14:1008129d
XF86Macro15:1008129e XF86Macro16:1008129f XF86Macro17:100812a0 XF86Macro18:100812a1 XF86Macro19:100812a2
XF86Macro20:100812a3 XF86Macro21:100812a4 XF86Macro22:100812a5 XF86Macro23:100812a6 XF86Macro24:100812a7
XF86Macro25:100812a8 XF86Macro26:100812a9 XF86Macro27:100812aa XF86Macro28:100812ab XF86Macro29:100812ac
XF86Macro30:100812ad XF86MacroRecordStart:100812b0 XF86MacroRecordStop:100812b1 XF86MacroPresetCycle:100812b2
XF86MacroPreset1:100812b3 XF86MacroPreset2:100812b4 XF86MacroPreset3:100812b5 XF86KbdLcdMenu1:100812b8
XF86KbdLcdMenu2:100812b9 XF86KbdLcdMenu3:100812ba XF86KbdLcdMenu4:100812bb XF86KbdLcdMenu5:100812bc
SunFA_Grave:1005ff00 SunFA_Circum:1005ff01 SunFA_Tilde:1005ff02 SunFA_Acute:1005ff03 SunFA_Diaeresis:1005ff04
SunFA_Cedilla:1005ff05 SunF36:1005ff10 SunF37:1005ff11 SunSys_Req:1005ff60 SunPrint_Screen:ff61 SunCompose:ff20
SunAltGraph:ff7e SunPageUp:ff55 SunPageDown:ff56 SunUndo:ff65 SunAgain:ff66 SunFind:ff68 SunStop:ff69
SunProps:1005ff70 SunFront:1005ff71 SunCopy:1005ff72 SunOpen:1005ff73 SunPaste:1005ff74 SunCut:1005ff75
SunPowerSwitch:1005ff76 SunAudioLowerVolume:1005ff77 SunAudioMute:1005ff78 SunAudioRaiseVolume:1005ff79
SunVideoDegauss:1005ff7a SunVideoLowerBrightness:1005ff7b SunVideoRaiseBrightness:1005ff7c
SunPowerSwitchShift:1005ff7d Dring_accent:1000feb0 Dcircumflex_accent:1000fe5e Dcedilla_accent:1000fe2c
Dacute_accent:1000fe27 Dgrave_accent:1000fe60 Dtilde:1000fe7e Ddiaeresis:1000fe22 DRemove:1000ff00
hpClearLine:1000ff6f hpInsertLine:1000ff70 hpDeleteLine:1000ff71 hpInsertChar:1000ff72 hpDeleteChar:1000ff73
hpBackTab:1000ff74 hpKP_BackTab:1000ff75 hpModelock1:1000ff48 hpModelock2:1000ff49 hpReset:1000ff6c
hpSystem:1000ff6d hpUser:1000ff6e hpmute_acute:100000a8 hpmute_grave:100000a9 hpmute_asciicircum:100000aa
hpmute_diaeresis:100000ab hpmute_asciitilde:100000ac hplira:100000af hpguilder:100000be hpYdiaeresis:100000ee
hpIO:100000ee hplongminus:100000f6 hpblock:100000fc osfCopy:1004ff02 osfCut:1004ff03 osfPaste:1004ff04
osfBackTab:1004ff07 osfBackSpace:1004ff08 osfClear:1004ff0b osfEscape:1004ff1b osfAddMode:1004ff31
osfPrimaryPaste:1004ff32 osfQuickPaste:1004ff33 osfPageLeft:1004ff40 osfPageUp:1004ff41 osfPageDown:1004ff42
osfPageRight:1004ff43 osfActivate:1004ff44 osfMenuBar:1004ff45 osfLeft:1004ff51 osfUp:1004ff52 osfRight:1004ff53
osfDown:1004ff54 osfEndLine:1004ff57 osfBeginLine:1004ff58 osfEndData:1004ff59 osfBeginData:1004ff5a
osfPrevMenu:1004ff5b osfNextMenu:1004ff5c osfPrevField:1004ff5d osfNextField:1004ff5e osfSelect:1004ff60
osfInsert:1004ff63 osfUndo:1004ff65 osfMenu:1004ff67 osfCancel:1004ff69 osfHelp:1004ff6a osfSelectAll:1004ff71
osfDeselectAll:1004ff72 osfReselect:1004ff73 osfExtend:1004ff74 osfRestore:1004ff78 osfDelete:1004ffff
combining_tilde:1000303 combining_grave:1000300 combining_acute:1000301 combining_hook:1000309
combining_belowdot:1000323
`;

/** Returns the keysym of a name such as `XF86AudioMute`. */
export function vendorKeysym(name: string): number | undefined {
  if (!/^\w{1,64}$/.test(name)) return undefined;
  const code = new RegExp(`\\b${name}:(\\w+)`).exec(NAMES)?.[1];
  return code === undefined ? undefined : Number.parseInt(code, 16);
}
