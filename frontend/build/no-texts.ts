/** In place of react-vant's own texts, which are Chinese: ui/Theme.tsx. */
export const zhCN = {};
