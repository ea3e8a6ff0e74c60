import type { Plugin } from 'vite';

const stylesheet = /\s*<link rel="stylesheet"[^>]*>/g;

/** Draws the placeholder in `index.html` without waiting for style sheets. */
export function stylesAfterOpening(): Plugin {
  return {
    name: 'styles-after-opening',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const styles = html.match(stylesheet) ?? [];
        return html.replace(stylesheet, '').replace('</body>', `${styles.join('')}\n  $&`);
      },
    },
  };
}
