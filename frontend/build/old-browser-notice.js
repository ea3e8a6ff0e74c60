// biome-ignore-all lint: this runs in browsers that know nothing newer
/* global TEXTS */
(function () {
  var known = Object.hasOwn && window.CSS && CSS.supports && CSS.supports('translate', '0');
  var place = document.querySelector('.late');
  if (!place) return;
  var chosen;
  try {
    chosen = localStorage.getItem('lang');
  } catch (e) {}
  // The app's own codes, where they are others.
  chosen = { cht: 'zh-hant', jp: 'ja', kor: 'ko', spa: 'es' }[chosen] || chosen || [];
  var wanted = [].concat(chosen, navigator.languages || navigator.language || [], 'en');
  for (var i = 0; i < wanted.length; i++) {
    var code = String(wanted[i]).toLowerCase().replace(/_/g, '-');
    // Traditional characters are written in Taiwan, Hong Kong and Macao.
    if (/^zh-(hant|tw|hk|mo)/.test(code)) code = 'zh-hant';
    var text = TEXTS[code] || TEXTS[code.split('-')[0]];
    if (!text) continue;
    place.lang = code;
    if (known) {
      place.firstChild.data = text[1];
      place.querySelector('a').textContent = text[2];
      place.querySelector('span').textContent = text[3];
    } else {
      place.textContent = text[0];
      place.className = 'late now';
    }
    return;
  }
})();
