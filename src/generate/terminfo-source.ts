import { DESCRIBED_CAPABILITIES } from '../termprog/engine/terminal-capabilities.ts';

/**
 * Capabilities that the terminal shares with xterm, by the description of it in ncurses 6.4. The terminal has no
 * printing and no memory locks, so these are left out.
 */
const SHARED = `
am, bce, ccc, km, mir, msgr, npc, xenl, AX, XT, colors#0x100, cols#80, it#8, lines#24,
pairs#0x10000, acsc=\`\`aaffggiijjkkllmmnnooppqqrrssttuuvvwwxxyyzz{{||}}~~, bel=^G, blink=\\E[5m,
bold=\\E[1m, cbt=\\E[Z, civis=\\E[?25l, clear=\\E[H\\E[2J, cnorm=\\E[?12l\\E[?25h, cr=\\r,
csr=\\E[%i%p1%d;%p2%dr, cub=\\E[%p1%dD, cub1=^H, cud=\\E[%p1%dB, cud1=\\n, cuf=\\E[%p1%dC, cuf1=\\E[C,
cup=\\E[%i%p1%d;%p2%dH, cuu=\\E[%p1%dA, cuu1=\\E[A, cvvis=\\E[?12;25h, dch=\\E[%p1%dP, dch1=\\E[P,
dim=\\E[2m, dl=\\E[%p1%dM, dl1=\\E[M, ech=\\E[%p1%dX, ed=\\E[J, el=\\E[K, el1=\\E[1K,
flash=\\E[?5h$<100/>\\E[?5l, home=\\E[H, hpa=\\E[%i%p1%dG, ht=^I, hts=\\EH, ich=\\E[%p1%d@, il=\\E[%p1%dL,
il1=\\E[L, ind=\\n, indn=\\E[%p1%dS,
initc=\\E]4;%p1%d;rgb:%p2%{255}%*%{1000}%/%2.2X/%p3%{255}%*%{1000}%/%2.2X/%p4%{255}%*%{1000}%/%2.2X\\E\\\\,
invis=\\E[8m, is2=\\E[!p\\E[?3;4l\\E[4l\\E>, kDC=\\E[3;2~, kEND=\\E[1;2F, kHOM=\\E[1;2H, kIC=\\E[2;2~,
kLFT=\\E[1;2D, kNXT=\\E[6;2~, kPRV=\\E[5;2~, kRIT=\\E[1;2C, ka1=\\EOw, ka3=\\EOy, kb2=\\EOu, kbeg=\\EOE,
kbs=^?, kc1=\\EOq, kc3=\\EOs, kcbt=\\E[Z, kcub1=\\EOD, kcud1=\\EOB, kcuf1=\\EOC, kcuu1=\\EOA, kdch1=\\E[3~,
kend=\\EOF, kent=\\EOM, kf1=\\EOP, kf10=\\E[21~, kf11=\\E[23~, kf12=\\E[24~, kf13=\\E[1;2P, kf14=\\E[1;2Q,
kf15=\\E[1;2R, kf16=\\E[1;2S, kf17=\\E[15;2~, kf18=\\E[17;2~, kf19=\\E[18;2~, kf2=\\EOQ, kf20=\\E[19;2~,
kf21=\\E[20;2~, kf22=\\E[21;2~, kf23=\\E[23;2~, kf24=\\E[24;2~, kf25=\\E[1;5P, kf26=\\E[1;5Q,
kf27=\\E[1;5R, kf28=\\E[1;5S, kf29=\\E[15;5~, kf3=\\EOR, kf30=\\E[17;5~, kf31=\\E[18;5~, kf32=\\E[19;5~,
kf33=\\E[20;5~, kf34=\\E[21;5~, kf35=\\E[23;5~, kf36=\\E[24;5~, kf37=\\E[1;6P, kf38=\\E[1;6Q,
kf39=\\E[1;6R, kf4=\\EOS, kf40=\\E[1;6S, kf41=\\E[15;6~, kf42=\\E[17;6~, kf43=\\E[18;6~, kf44=\\E[19;6~,
kf45=\\E[20;6~, kf46=\\E[21;6~, kf47=\\E[23;6~, kf48=\\E[24;6~, kf49=\\E[1;3P, kf5=\\E[15~, kf50=\\E[1;3Q,
kf51=\\E[1;3R, kf52=\\E[1;3S, kf53=\\E[15;3~, kf54=\\E[17;3~, kf55=\\E[18;3~, kf56=\\E[19;3~,
kf57=\\E[20;3~, kf58=\\E[21;3~, kf59=\\E[23;3~, kf6=\\E[17~, kf60=\\E[24;3~, kf61=\\E[1;4P, kf62=\\E[1;4Q,
kf63=\\E[1;4R, kf7=\\E[18~, kf8=\\E[19~, kf9=\\E[20~, khome=\\EOH, kich1=\\E[2~, kind=\\E[1;2B, knp=\\E[6~,
kpp=\\E[5~, kri=\\E[1;2A, mgc=\\E[?69l, nel=\\EE, oc=\\E]104\\007, op=\\E[39;49m, rc=\\E8,
rep=%p1%c\\E[%p2%{1}%-%db, rev=\\E[7m, ri=\\EM, rin=\\E[%p1%dT, ritm=\\E[23m, rmacs=\\E(B, rmam=\\E[?7l,
rmcup=\\E[?1049l\\E[23;0;0t, rmir=\\E[4l, rmkx=\\E[?1l\\E>, rmm=\\E[?1034l, rmso=\\E[27m, rmul=\\E[24m,
rs1=\\Ec\\E]104\\007, rs2=\\E[!p\\E[?3;4l\\E[4l\\E>, sc=\\E7,
setab=\\E[%?%p1%{8}%<%t4%p1%d%e%p1%{16}%<%t10%p1%{8}%-%d%e48;5;%p1%d%;m,
setaf=\\E[%?%p1%{8}%<%t3%p1%d%e%p1%{16}%<%t9%p1%{8}%-%d%e38;5;%p1%d%;m,
sgr=%?%p9%t\\E(0%e\\E(B%;\\E[0%?%p6%t;1%;%?%p5%t;2%;%?%p2%t;4%;%?%p1%p3%|%t;7%;%?%p4%t;5%;%?%p7%t;8%;m,
sgr0=\\E(B\\E[m, sitm=\\E[3m, smacs=\\E(0, smam=\\E[?7h, smcup=\\E[?1049h\\E[22;0;0t,
smglp=\\E[?69h\\E[%i%p1%ds, smglr=\\E[?69h\\E[%i%p1%d;%p2%ds, smgrp=\\E[?69h\\E[%i;%p1%ds, smir=\\E[4h,
smkx=\\E[?1h\\E=, smm=\\E[?1034h, smso=\\E[7m, smul=\\E[4m, tbc=\\E[3g, u6=\\E[%i%d;%dR, u7=\\E[6n,
u8=\\E[?%[;0123456789]c, u9=\\E[c, vpa=\\E[%i%p1%dd, E3=\\E[3J, PE=\\E[201~, PS=\\E[200~, kDC3=\\E[3;3~,
kDC4=\\E[3;4~, kDC5=\\E[3;5~, kDC6=\\E[3;6~, kDC7=\\E[3;7~, kDN=\\E[1;2B, kDN3=\\E[1;3B, kDN4=\\E[1;4B,
kDN5=\\E[1;5B, kDN6=\\E[1;6B, kDN7=\\E[1;7B, kEND3=\\E[1;3F, kEND4=\\E[1;4F, kEND5=\\E[1;5F,
kEND6=\\E[1;6F, kEND7=\\E[1;7F, kHOM3=\\E[1;3H, kHOM4=\\E[1;4H, kHOM5=\\E[1;5H, kHOM6=\\E[1;6H,
kHOM7=\\E[1;7H, kIC3=\\E[2;3~, kIC4=\\E[2;4~, kIC5=\\E[2;5~, kIC6=\\E[2;6~, kIC7=\\E[2;7~, kLFT3=\\E[1;3D,
kLFT4=\\E[1;4D, kLFT5=\\E[1;5D, kLFT6=\\E[1;6D, kLFT7=\\E[1;7D, kNXT3=\\E[6;3~, kNXT4=\\E[6;4~,
kNXT5=\\E[6;5~, kNXT6=\\E[6;6~, kNXT7=\\E[6;7~, kPRV3=\\E[5;3~, kPRV4=\\E[5;4~, kPRV5=\\E[5;5~,
kPRV6=\\E[5;6~, kPRV7=\\E[5;7~, kRIT3=\\E[1;3C, kRIT4=\\E[1;4C, kRIT5=\\E[1;5C, kRIT6=\\E[1;6C,
kRIT7=\\E[1;7C, kUP=\\E[1;2A, kUP3=\\E[1;3A, kUP4=\\E[1;4A, kUP5=\\E[1;5A, kUP6=\\E[1;6A, kUP7=\\E[1;7A,
ka2=\\EOx, kb1=\\EOt, kb3=\\EOv, kc2=\\EOr, kp5=\\EOE, kpADD=\\EOk, kpCMA=\\EOl, kpDIV=\\EOo, kpDOT=\\EOn,
kpMUL=\\EOj, kpSUB=\\EOm, kpZRO=\\EOp, rmxx=\\E[29m, smxx=\\E[9m,
xm=\\E[<%i%p3%d;%p1%d;%p2%d;%?%p4%tM%em%;,
`;

/**
 * Capabilities that programs do not also ask the terminal for: reports of the mouse and of the focus, colours by value,
 * links.
 */
const FURTHER: Readonly<Record<string, string>> = {
  kmous: '\x1b[<',
  XM: '\x1b[?1006;1000%?%p1%{1}%=%th%el%;',
  fe: '\x1b[?1004h',
  fd: '\x1b[?1004l',
  kxIN: '\x1b[I',
  kxOUT: '\x1b[O',
  setrgbf: '\x1b[38:2::%p1%d:%p2%d:%p3%dm',
  setrgbb: '\x1b[48:2::%p1%d:%p2%d:%p3%dm',
  Hls: '\x1b]8;%?%p1%l%tid=%p1%s%;;%p2%s\x1b\\',
};

/** `Tc`: colours by value; `Su`: styles of underlines; `XF`: reports of the focus. `RGB` would give `setaf` another meaning. */
const FLAGS = ['Tc', 'Su', 'XF'];

/** A sequence as the source of terminfo writes it. @see terminfo(5) */
const written = (sequence: string): string =>
  sequence.replaceAll('\\', '\\\\').replaceAll('\x1b', '\\E').replaceAll(',', '\\,').replaceAll('^', '\\^');

/**
 * The source of the terminfo entry `termprog`, for those who set `termName` to it; by default the terminal calls itself
 * `xterm-256color`, which every host knows.
 */
export function terminfoSource(): string {
  const own = Object.entries({ ...DESCRIBED_CAPABILITIES, ...FURTHER }).map(
    ([name, sequence]) => `${name}=${written(sequence)},`,
  );
  const lines = [...SHARED.trim().split('\n'), FLAGS.map((flag) => `${flag},`).join(' '), ...own];
  return `# Written by \`npm run generate\`. To compile it: tic -x termprog.info
termprog|Homeport termprog, a terminal for X11,
${lines.map((line) => `\t${line}`).join('\n')}
`;
}
