/** Font of titles; not every server has it. */
export const TITLE_FONT = '-adobe-helvetica-bold-r-normal--*-120-*-*-*-*-iso8859-*';

/** Default look of menus, as in the reference terminal. */
export const BUILT_IN_RESOURCES = `
*SimpleMenu*menuLabel.font: ${TITLE_FONT}
*SimpleMenu*menuLabel.vertSpace: 100
*SimpleMenu*HorizontalMargins: 16
*SimpleMenu*borderWidth: 2
*SimpleMenu*Cursor: left_ptr
`;
