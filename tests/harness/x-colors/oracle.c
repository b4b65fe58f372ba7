/* Answers what libX11 makes of colours: one a line on standard input; the answer is its channels of 8 bits, or "-". */
#include <X11/Xlib.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  Display *display = XOpenDisplay(NULL);
  if (display == NULL) return 1;
  Colormap colormap = DefaultColormap(display, DefaultScreen(display));
  char line[1024];
  while (fgets(line, sizeof line, stdin) != NULL) {
    XColor color;
    line[strcspn(line, "\n")] = '\0';
    if (XParseColor(display, colormap, line, &color))
      printf("%02x%02x%02x\n", color.red >> 8, color.green >> 8, color.blue >> 8);
    else
      printf("-\n");
  }
  return 0;
}
