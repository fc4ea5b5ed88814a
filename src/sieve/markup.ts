/** Marks of XML that mean the same in every notation built of tags; in lower case, as words are compiled. */
export const COMMENT_OPEN = "<!--";
export const COMMENT_CLOSE = "-->";
export const CDATA_OPEN = "<![cdata[";
export const CDATA_CLOSE = "]]>";
