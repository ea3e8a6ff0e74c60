import type { Plugin } from 'vite';

const stylesheet = /\s*<link rel="stylesheet"[^>]*>/g;

/** What stands in `index.html` until the first page is there is drawn without waiting for styles. */
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
