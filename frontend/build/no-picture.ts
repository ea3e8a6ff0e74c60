/** In place of the picture of react-vant's Empty: ours are in ui/illustrations. */
export const Network = null;
