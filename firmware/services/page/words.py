"""What the service page says, French beside English. What other programs say: translation.py.

`vocabulary` is served as a module; the page takes everything it says from there. A text with {name}
is filled in by the page.
"""

from typing import Any

from firmware.services.page import translation
from firmware.services.page.words_tools import TOOLS
from firmware.text import display_words
from firmware.text.display_words import Words

# fmt: off
SHELL = {
    "group_wheel": Words("Cylindre", "Wheel"),
    "group_care": Words("Entretien", "Care"),
    "group_machine": Words("Machine", "Machine"),
    "live": Words("En direct", "Live"),
    "scope": Words("Oscilloscope", "Oscilloscope"),
    "coups": Words("Derniers coups", "Last coups"),
    "history": Words("Évolution", "History"),
    "faults": Words("Défauts", "Faults"),
    "upkeep": Words("À surveiller", "Upkeep"),
    "selftest": Words("Autotest", "Self-test"),
    "calibrate": Words("Étalonnage", "Calibration"),
    "parts": Words("Afficheurs et organes", "Displays and parts"),
    "config": Words("Configuration", "Configuration"),
    "update": Words("Mise à jour", "Update"),
    "log": Words("Journal", "Log"),
    "about": Words("À propos", "About"),
    "language": Words("English", "Français"),
    "language_long": Words("Switch to English", "Passer au français"),
    "theme": Words("Clair ou sombre", "Light or dark"),
    "login": Words("Se connecter", "Log in"),
    "logout": Words("Se déconnecter", "Log out"),
    "read_only": Words("Lecture seule", "Read only"),
    "role_technician": Words("technicien", "technician"),
    "role_supervisor": Words("responsable", "supervisor"),
    "menu": Words("Menu", "Menu"),
    "skip": Words("Aller au contenu", "Skip to the content"),
    "close": Words("Fermer", "Close"),
    "cancel": Words("Annuler", "Cancel"),
    "loading": Words("Lecture…", "Reading…"),
    "unread": Words("Ceci ne peut pas être lu pour l'instant.", "This cannot be read now."),
    "leaves_job": Words(
        "Votre autotest ou étalonnage est en cours. Si vous partez, il s'arrête et le cylindre"
        " reste hors service.",
        "Your self-test or calibration is running. If you leave, it stops and the wheel stays"
        " out of play."),
    "leaves_wheel": Words(
        "Vous avez le cylindre hors service. Si vous partez, il y reste.",
        "You have the wheel in service. If you leave, it stays out of play."),
    "nothing": Words("Rien ici pour l'instant.", "Nothing here yet."),
    "login_first": Words("Connectez-vous pour voir ceci.", "Log in to see this."),
    "login_first_why": Words(
        "Sans connexion, cette page montre ce que montre un afficheur de table, et les défauts.",
        "Without a login this page shows what a table display shows, and the faults."),
    "gone": Words("Le contrôleur ne répond pas", "The controller does not answer"),
    "gone_why": Words(
        "Vérifiez que le cylindre est allumé. La page reprend d'elle-même.",
        "See that the wheel is switched on. The page comes back by itself."),
    "unheard": Words("La page n'entend plus le cylindre", "The page does not hear the wheel"),
    "unheard_why": Words(
        "Vérifiez le réseau de la tablette et l'alimentation du cylindre. La page reprend"
        " d'elle-même.",
        "Check the tablet's network and the wheel's supply. The page comes back by itself."),
    "crowded": Words("Trop de pages sont ouvertes", "Too many pages are open"),
    "crowded_why": Words("Fermez-en une, puis rechargez.", "Close one, then load this one again."),
    "ended": Words(
        "Votre session a pris fin. Reconnectez-vous.",
        "Your session has ended. Log in again."),
    "in_service": Words("{who} a mis le cylindre hors service", "{who} has the wheel in service"),
    "in_service_why": Words("motif : {why}", "reason: {why}"),
    "shortcuts": Words("Raccourcis clavier", "Keyboard shortcuts"),
    "key_views": Words("ouvrir une vue", "open a view"),
    "key_login": Words("se connecter", "log in"),
    "key_language": Words("changer de langue", "change the language"),
    "key_theme": Words("clair ou sombre", "light or dark"),
    "key_help": Words("ces raccourcis", "these shortcuts"),
    "key_scope": Words(
        "oscilloscope : figer, zoomer, déplacer, curseurs A et B",
        "oscilloscope: freeze, zoom, move, cursors A and B"),
    "space": Words("espace", "space"),
    "supervisor_only": Words("Réservé à un responsable.", "For a supervisor only."),
    "held_by": Words("{who} a le cylindre : demandez-lui.", "{who} has the wheel: ask them."),
    "coup_open": Words(
        "Un coup est en cours : attendez sa fin.",
        "A coup is open: wait for its end."),
    "locked": Words("Un défaut bloque le cylindre.", "A fault locks the wheel."),
    "no_wheel": Words("Le contrôleur ne répond pas.", "The controller does not answer."),
    "older": Words("Plus anciens", "Older"),
}
LOGIN = {
    "title": Words("Connexion", "Log in"),
    "name": Words("Nom", "Name"),
    "pin": Words("Code PIN", "PIN"),
    "pin_again": Words("Code PIN, une seconde fois", "PIN, once more"),
    "enter": Words("Entrer", "Enter"),
    "fingerprint": Words("Empreinte du certificat", "Fingerprint of the certificate"),
    "compare": Words(
        "Comparez-la avec celle que montre votre navigateur et celle imprimée au démarrage.",
        "Compare it with the one your browser shows and the one printed at the start."),
    "first": Words("Premier accès", "First access"),
    "first_why": Words(
        "Personne n'est encore responsable ici ? Choisissez un nom et un code PIN, puis"
        " prouvez votre présence avec un bouton du cylindre.",
        "Nobody is a supervisor here yet? Choose a name and a PIN, then prove that you stand"
        " at the wheel with one of its buttons."),
    "first_begin": Words("Créer le premier responsable", "Make the first supervisor"),
    "differ": Words("Les deux codes PIN diffèrent.", "The two PINs differ."),
    "press": Words(
        "Appuyez sur le bouton « {button} » du cylindre",
        "Press “{button}” on the wheel"),
    "press_why": Words(
        "Il reste {left} s. Le bouton prouve que vous êtes devant le cylindre.",
        "{left} s left. The button proves that you stand at the wheel."),
    "btn_void": Words("coup nul", "void"),
    "btn_start": Words("départ", "start"),
    "first_ok": Words("{name} est responsable.", "{name} is a supervisor now."),
    "first_late": Words(
        "Le bouton n'a pas été pressé à temps.",
        "The button was not pressed in time."),
}
LIVE = {
    "coup": Words("coup {coup}", "coup {coup}"),
    "direction": Words("Sens du cylindre", "Rotor direction"),
    "speed": Words("Vitesse", "Speed"),
    "speed_held": Words(
        "par pas de 5 ; exacte après l'annonce",
        "in steps of 5; exact after the call"),
    "speed_exact": Words("mesurée", "measured"),
    "rpm": Words("tr/min", "rpm"),
    "ball": Words("Bille", "Ball"),
    "last": Words("Derniers numéros", "Last numbers"),
    "happened": Words("Ce qui se passe", "What happens"),
    "call": Words("Annonce", "Call"),
    "call_wait": Words(
        "Avant l'annonce, rien de ce qui prédit ne quitte le contrôleur.",
        "Before the call nothing that predicts leaves the controller."),
    "call_missed": Words(
        "L'annonce est faite ; cette page n'était pas là pour l'entendre. Voyez le coup dans"
        " « Derniers coups » une fois qu'il a fini.",
        "The call was made; this page was not there to hear it. See the coup in Last coups once"
        " it has ended."),
    "call_drop": Words("Chute attendue", "Drop expected"),
    "call_margin": Words("Marge", "Margin"),
    "call_speed": Words("Vitesse de la bille", "Ball's speed"),
    "call_dropped": Words("Chute vue", "Drop seen"),
    "after_call": Words("{s} s après l'annonce", "{s} s after the call"),
    "turns_s": Words("tours/s", "turns/s"),
    "not_placed": Words(
        "Vitesse indiquée, position non montrée avant l'annonce",
        "At the told speed; its place is not shown before the call"),
    "not_placed_login": Words(
        "Vitesse indiquée ; connectez-vous pour voir sa position",
        "At the told speed; log in to see its place"),
    "placed": Words("D'après le codeur", "From the encoder"),
    "dish": Words("Coupelles", "Cups"),
    "service": Words("Hors service", "Out of play"),
    "service_why": Words("Motif", "Reason"),
    "service_example": Words("contrôle mensuel", "monthly check"),
    "take_out": Words("Mettre hors service", "Take out of play"),
    "put_back": Words("Remettre en jeu", "Put back into play"),
    "take_over": Words("Reprendre à {who}", "Take over from {who}"),
    "turn_for": Words("Durée", "For"),
    "turn_speed": Words("Vitesse", "Speed"),
    "let_run": Words("Laisser s'arrêter", "Let it run out"),
    "counts": Words(
        "Chaque rotation compte pour l'alternance et est inscrite au journal.",
        "Every turn counts for the alternation and is written in the journal."),
    "picture": Words("Le cylindre vu d'en haut", "The wheel seen from above"),
    "unverified": Words("disposition NON VÉRIFIÉE", "UNVERIFIED layout"),
}
STATES = {
    "SERVICE": Words("HORS SERVICE", "out of play"),
    "SERVICE_more": Words("entretien en cours", "being looked after"),
    "GONE": Words("PAS DE LIAISON", "no connection"),
}
FACTS = {
    "coup_started": Words("les jeux sont ouverts", "bets open"),
    "rotor_moving": Words("le cylindre tourne, {way}", "the rotor turns {way}"),
    "ball_in_track": Words("la bille est dans la piste, {way}", "the ball is in the track, {way}"),
    "no_more_bets": Words("rien ne va plus", "rien ne va plus"),
    "ball_dropped": Words("la bille a quitté la piste", "the ball left the track"),
    "detected": Words("numéro détecté", "number detected"),
    "result": Words("le {number}, {colour}", "{number} {colour}"),
    "void": Words("coup nul : {reason}", "void: {reason}"),
    "correction": Words("coup {coup} corrigé", "coup {coup} corrected"),
    "fault": Words("défaut {code}", "fault {code}"),
    "number_keyed": Words("le {number} saisi à la main", "{number} entered by hand"),
    "orphelin_paid_in": Words("orphelin {n} versé", "orphelin {n} paid in"),
    "act": Words("{who} : {what} {detail}", "{who}: {what} {detail}"),
}
WAYS = {
    "ccw": Words("sens inverse des aiguilles", "counter-clockwise"),
    "cw": Words("sens des aiguilles", "clockwise"),
    "unknown": Words("inconnu", "unknown"),
}
COLOURS = {
    "red": Words("rouge", "red"),
    "black": Words("noir", "black"),
    "green": Words("vert", "green"),
    "yellow": Words("jaune", "yellow"),
    "white": Words("blanc", "white"),
}
ACTS = {
    "service on": Words("a mis le cylindre hors service :", "took the wheel out of play:"),
    "service off": Words("a remis le cylindre en jeu :", "put the wheel back into play:"),
    "turn": Words("a fait tourner :", "turned the rotor:"),
    "login": Words("s'est connecté", "logged in"),
    "login refused": Words("connexion refusée :", "login refused:"),
    "first supervisor": Words("est le premier responsable,", "is the first supervisor,"),
    "selftest": Words("autotest :", "self-test:"),
    "calibration": Words("étalonnage :", "calibration:"),
    "config": Words("configuration :", "configuration:"),
    "update": Words("mise à jour :", "update:"),
    "flash": Words("écriture d'une carte :", "flashed a card:"),
    "support": Words("paquet d'assistance :", "support bundle:"),
    "note": Words("note :", "note:"),
}
# fmt: on


def vocabulary() -> dict[str, Any]:
    """Everything the page says, as pairs of French and English."""
    return {
        "shell": SHELL,
        "login": LOGIN,
        "live": LIVE,
        "states": {**display_words.STATES, **STATES},
        "more": display_words.MORE,
        "reasons": display_words.REASONS,
        "facts": FACTS,
        "ways": WAYS,
        "colours": COLOURS,
        "acts": ACTS,
        "french_faults": translation.faults(),
        **TOOLS,
    }
