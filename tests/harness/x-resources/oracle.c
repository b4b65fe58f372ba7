/*
 * Answers what libX11 and libXt make of X resources; reads commands from standard input.
 *
 * A command is a line NAME LENGTH, the LENGTH bytes of its argument, and a line end. Parts of an argument are separated
 * by the byte 0x1f. An answer is a line with the number of its bytes, then these and a line end; a line "-" is none.
 *
 *   reset                            an empty database
 *   text TEXT                        adds a text below what is there
 *   file PATH                        adds a file below what is there
 *   line TEXT                        adds a line as -xrm does
 *   option SPELLING SPECIFIER KIND VALUE   adds an option to the table; KIND is no, separate, sticky or resource
 *   arguments ARGUMENT...            parses arguments by the table; answers with those that are left
 *   get NAMES CLASSES                answers with a value; levels are separated by the byte 0x1e
 *   geometry TEXT                    answers with the bits, x, y, width and height
 *   display ARGUMENT...              opens the display as a toolkit program does; its database takes the place
 */
#include <X11/Intrinsic.h>
#include <X11/Xlib.h>
#include <X11/Xresource.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PARTS_MAX 100
#define OPTIONS_MAX 500

static XrmDatabase database;
static XrmOptionDescRec options[OPTIONS_MAX];
static int option_count;

static void answer(const char *bytes, size_t length) {
  printf("%zu\n", length);
  fwrite(bytes, 1, length, stdout);
  putchar('\n');
}

/* Cuts a text at a separator; gives the number of parts. */
static int split(char *text, char separator, char **parts) {
  int count = 0;
  for (char *next = text; next != NULL && count < PARTS_MAX - 1;) {
    parts[count++] = next;
    next = strchr(next, separator);
    if (next != NULL) *next++ = '\0';
  }
  parts[count] = NULL;
  return count;
}

static void quarks_of(char *text, XrmQuark *quarks) {
  char *levels[PARTS_MAX];
  int count = split(text, '\x1e', levels);
  for (int level = 0; level < count; level++) quarks[level] = XrmStringToQuark(levels[level]);
  quarks[count] = NULLQUARK;
}

static void get(char *argument) {
  char *parts[PARTS_MAX];
  XrmQuark names[PARTS_MAX], classes[PARTS_MAX];
  XrmRepresentation type;
  XrmValue value;
  split(argument, '\x1f', parts);
  quarks_of(parts[0], names);
  quarks_of(parts[1], classes);
  if (database != NULL && XrmQGetResource(database, names, classes, &type, &value))
    answer((char *)value.addr, value.size - 1);
  else
    printf("-\n");
}

static void add_option(char *argument) {
  char *parts[PARTS_MAX];
  int count = split(strdup(argument), '\x1f', parts);
  if (option_count == OPTIONS_MAX || count < 4) exit(2);
  XrmOptionDescRec *option = &options[option_count++];
  option->option = parts[0];
  option->specifier = parts[1];
  option->argKind = strcmp(parts[2], "no") == 0         ? XrmoptionNoArg
                    : strcmp(parts[2], "separate") == 0 ? XrmoptionSepArg
                    : strcmp(parts[2], "sticky") == 0   ? XrmoptionStickyArg
                                                        : XrmoptionResArg;
  option->value = parts[3];
}

/* The arguments of a program `term`. */
static int program_arguments(char *argument, char **argv) {
  argv[0] = "term";
  return 1 + (*argument == '\0' ? (argv[1] = NULL, 0) : split(argument, '\x1f', argv + 1));
}

static void parse_arguments(char *argument) {
  char *argv[PARTS_MAX + 1], left[65536] = "";
  int argc = program_arguments(argument, argv);
  XrmParseCommand(&database, options, option_count, "term", &argc, argv);
  for (int index = 1; index < argc; index++) {
    if (index > 1) strcat(left, "\x1f");
    strcat(left, argv[index]);
  }
  answer(left, strlen(left));
}

static void geometry(const char *text) {
  int x = 0, y = 0;
  unsigned int width = 0, height = 0;
  char line[100];
  int bits = XParseGeometry(text, &x, &y, &width, &height);
  snprintf(line, sizeof line, "%d %d %d %u %u", bits, x, y, width, height);
  answer(line, strlen(line));
}

static void open_display(char *argument) {
  char *argv[PARTS_MAX + 1];
  int argc = program_arguments(argument, argv);
  XtToolkitInitialize();
  XtSetLanguageProc(NULL, NULL, NULL);
  XtAppContext context = XtCreateApplicationContext();
  Display *display = XtOpenDisplay(context, NULL, NULL, "Term", options, option_count, &argc, argv);
  if (display == NULL) exit(3);
  database = XtDatabase(display);
}

int main(void) {
  char name[20];
  size_t length;
  XrmInitialize();
  while (scanf("%19s %zu", name, &length) == 2) {
    char *argument = calloc(length + 1, 1);
    getchar();
    if (fread(argument, 1, length, stdin) != length) return 2;
    getchar();
    if (strcmp(name, "reset") == 0) {
      XrmDestroyDatabase(database);
      database = NULL;
    } else if (strcmp(name, "text") == 0)
      XrmCombineDatabase(XrmGetStringDatabase(argument), &database, False);
    else if (strcmp(name, "file") == 0)
      XrmCombineFileDatabase(argument, &database, False);
    else if (strcmp(name, "line") == 0)
      XrmPutLineResource(&database, argument);
    else if (strcmp(name, "option") == 0)
      add_option(argument);
    else if (strcmp(name, "arguments") == 0)
      parse_arguments(argument);
    else if (strcmp(name, "get") == 0)
      get(argument);
    else if (strcmp(name, "geometry") == 0)
      geometry(argument);
    else if (strcmp(name, "display") == 0)
      open_display(argument);
    else
      return 2;
    free(argument);
  }
  return 0;
}
