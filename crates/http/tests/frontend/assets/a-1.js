export const letters = 'abcabcabcabcabcabcabcabcabcabcabcabc';
