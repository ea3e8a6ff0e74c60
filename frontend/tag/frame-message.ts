/** What a frame tells the page around it, in `message.data.placard`. */
export type FrameMessage =
  | { kind: 'shown'; label: string; height: number }
  /** Nothing fits at present. */
  | { kind: 'nothing' };

/**
 * What a frame may do: show, count, and open the advertiser's page beside this one when somebody
 * clicks. It never leads the page itself elsewhere.
 */
export const sandbox = 'allow-scripts allow-popups allow-popups-to-escape-sandbox';
