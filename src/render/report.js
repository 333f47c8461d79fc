(() => {
  'use strict';
  const holder = document.getElementById('picture');
  const svg = holder.querySelector('svg');
  const told = document.getElementById('told');
  const slider = document.getElementById('step');
  const names = [...document.querySelectorAll('#steps li')].map(item => item.textContent);
  const whole = svg.viewBox.baseVal;
  const all = { x: whole.x, y: whole.y, width: whole.width, height: whole.height };
  let view = { ...all };

  const show = () => svg.setAttribute('viewBox', `${view.x} ${view.y} ${view.width} ${view.height}`);
  // Zooms by a factor about a point of the picture.
  const zoom = (factor, x = view.x + view.width / 2, y = view.y + view.height / 2) => {
    const width = Math.min(Math.max(view.width * factor, all.width / 200), all.width * 4);
    const real = width / view.width;
    view = { x: x - (x - view.x) * real, y: y - (y - view.y) * real, width, height: view.height * real };
    show();
  };
  const point = event => {
    const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [place.x, place.y];
  };
  holder.addEventListener('wheel', event => {
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.2 : 1 / 1.2, ...point(event));
  }, { passive: false });

  let held = null;
  holder.addEventListener('pointerdown', event => {
    held = point(event);
    holder.setPointerCapture(event.pointerId);
  });
  holder.addEventListener('pointermove', event => {
    if (held) {
      const [x, y] = point(event);
      view.x += held[0] - x;
      view.y += held[1] - y;
      show();
    }
  });
  for (const kind of ['pointerup', 'pointercancel']) holder.addEventListener(kind, () => { held = null; });

  // The nodes and steps of the path by their positions; for cards, those and their matches.
  const nodes = [...svg.querySelectorAll('[data-at]')];
  const steps = [...svg.querySelectorAll('[data-step]')];
  const cards = [...svg.querySelectorAll('.card')];
  const matches = [...svg.querySelectorAll('.match')];
  const go = at => {
    const last = names.length - 1;
    at = Math.min(Math.max(at, 0), last);
    slider.value = at;
    for (const node of nodes) {
      node.classList.toggle('later', +node.dataset.at > at);
      node.classList.toggle('here', +node.dataset.at === at && at < last);
    }
    for (const step of steps) step.classList.toggle('later', +step.dataset.step > at && at < last);
    cards.forEach((card, index) => card.classList.toggle('later', index > at));
    matches.forEach((match, index) => match.classList.toggle('later', index + 1 > at));
    told.textContent = `${at + 1} of ${names.length}: ${names[at]}`;
  };
  if (slider) {
    slider.addEventListener('input', () => go(+slider.value));
    document.getElementById('back').addEventListener('click', () => go(+slider.value - 1));
    document.getElementById('forth').addEventListener('click', () => go(+slider.value + 1));
  }
  document.getElementById('nearer').addEventListener('click', () => zoom(1 / 1.4));
  document.getElementById('farther').addEventListener('click', () => zoom(1.4));
  document.getElementById('whole').addEventListener('click', () => { view = { ...all }; show(); });

  holder.addEventListener('pointerover', event => {
    const named = event.target.closest('[data-name],[data-card],[data-link]');
    if (named) told.textContent = named.dataset.name ?? named.dataset.card ?? named.dataset.link;
  });
  document.addEventListener('keydown', event => {
    if (event.target === slider || event.ctrlKey || event.metaKey || event.altKey) return;
    const moves = {
      ArrowRight: () => slider && go(+slider.value + 1),
      ArrowLeft: () => slider && go(+slider.value - 1),
      Home: () => slider && go(0),
      End: () => slider && go(names.length - 1),
      '+': () => zoom(1 / 1.4),
      '-': () => zoom(1.4),
      '0': () => { view = { ...all }; show(); },
    };
    const move = moves[event.key];
    if (move) {
      event.preventDefault();
      move();
    }
  });
})();
