/** The server's limit of what is searched for; apart from the field, because requests need it too. */
export const longestSearch = 100;
