/*
 * A browser that translates the page puts elements of its own in the place of texts. React holds on to
 * the texts that it has drawn: it would change one that nobody sees any more, and could not take it
 * away, so that the whole page would fail.
 */

/** The elements that replace texts. */
const standIns = new WeakMap<Node, Element>();

/** Puts a text back before React changes anything about it; the browser then translates it anew. */
function restore(text: Node) {
  const standIn = standIns.get(text);
  standIns.delete(text);
  if (standIn?.isConnected && !text.isConnected) standIn.replaceWith(text);
}

const isStandIn = (node: Node | null): node is Element => node?.nodeName === 'FONT';

function noteStandIns(records: readonly MutationRecord[], changed: MutationObserver) {
  for (const { removedNodes, addedNodes, previousSibling, nextSibling } of records) {
    const standIn = [...addedNodes, previousSibling, nextSibling].find(isStandIn);
    if (!standIn) continue;
    for (const node of removedNodes) {
      if (node.nodeType !== Node.TEXT_NODE || node.isConnected) continue;
      standIns.set(node, standIn);
      changed.observe(node, { characterData: true });
    }
  }
}

/** Makes the page work while a browser translates it. */
export function bearTranslation() {
  const changed = new MutationObserver((records) => {
    for (const { target } of records) restore(target);
  });
  new MutationObserver((records) => noteStandIns(records, changed)).observe(document.body, {
    childList: true,
    subtree: true,
  });
  const { insertBefore, removeChild } = Node.prototype;
  Node.prototype.removeChild = function <T extends Node>(child: T) {
    restore(child);
    return removeChild.call(this, child) as T;
  };
  Node.prototype.insertBefore = function <T extends Node>(node: T, next: Node | null) {
    if (next) restore(next);
    return insertBefore.call(this, node, next) as T;
  };
}
